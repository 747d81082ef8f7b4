-- When a rotated key is revoked by itself.
ALTER TABLE api_keys ADD COLUMN revokes_at timestamptz;
CREATE INDEX api_keys_due ON api_keys (revokes_at) WHERE revokes_at IS NOT NULL AND revoked_at IS NULL;
-- The latest time a key may ever be given to live to: an ephemeral key's own limit, and that of what was minted below.
ALTER TABLE api_keys ADD COLUMN expires_by timestamptz;
CREATE INDEX api_keys_by_parent ON api_keys (parent_key_id) WHERE parent_key_id IS NOT NULL;

-- The policies bind the owner, too; this is about the rows of all tenants.
ALTER TABLE api_keys NO FORCE ROW LEVEL SECURITY;
WITH RECURSIVE ephemeral AS (
  SELECT key_id, expires_at FROM api_keys WHERE kind = 'ephemeral'
  UNION
  SELECT child.key_id, child.expires_at FROM api_keys child JOIN ephemeral ON child.parent_key_id = ephemeral.key_id
)
UPDATE api_keys SET expires_by = ephemeral.expires_at FROM ephemeral WHERE api_keys.key_id = ephemeral.key_id;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;

-- What a gateway's boot reported last, so that a report that is sent again counts once. Belongs to no tenant.
CREATE TABLE usage_reports (
  gateway_id  text PRIMARY KEY COLLATE "C",
  sequence    bigint NOT NULL,
  reported_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX usage_reports_by_age ON usage_reports (reported_at);
