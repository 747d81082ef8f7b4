-- What the plan says of credentials. NULL: tenancy has not said, and a default holds.
ALTER TABLE tenants ADD COLUMN api_keys_max int;
ALTER TABLE tenants ADD COLUMN oauth_clients_max int;
ALTER TABLE tenants ADD COLUMN suggested_plan text;
ALTER TABLE tenants ADD COLUMN upgrade_url text;

-- Counted with every credential that is made.
CREATE INDEX api_keys_not_revoked ON api_keys (tenant_id) WHERE revoked_at IS NULL;
CREATE INDEX oauth_clients_not_revoked ON oauth_clients (tenant_id) WHERE revoked_at IS NULL;
