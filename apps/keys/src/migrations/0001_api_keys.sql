-- What keys must know of a tenant. Kept up to date by tenancy's events; a higher revision wins.
CREATE TABLE tenants (
  tenant_id           text PRIMARY KEY COLLATE "C",
  twin_of             text COLLATE "C",
  livemode            boolean NOT NULL,
  plan                text NOT NULL,
  status              text NOT NULL,
  revision            bigint NOT NULL,
  requests_per_second double precision NOT NULL,
  burst               int NOT NULL
);
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenants FORCE ROW LEVEL SECURITY;
-- A live tenant also sees its non-production twin, because it may mint keys for it.
CREATE POLICY tenant_isolation ON tenants FOR SELECT USING (tenant_id = current_tenant() OR twin_of = current_tenant());
SELECT let_worker_cross_tenants('tenants');

CREATE TABLE api_keys (
  tenant_id           text NOT NULL COLLATE "C",
  -- The tenant that administers the key: the live one, also for keys of its twin.
  owner_tenant_id     text NOT NULL COLLATE "C",
  key_id              text PRIMARY KEY COLLATE "C",
  name                text NOT NULL,
  prefix              text NOT NULL,
  sha256              bytea NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
  kind                text NOT NULL CHECK (kind IN ('live', 'test', 'ephemeral', 'memory')),
  livemode            boolean NOT NULL,
  scopes              text[] NOT NULL,
  app_permissions     jsonb NOT NULL,
  ip_allowlist        text[] NOT NULL,
  memory_id           text COLLATE "C",
  space_id            text COLLATE "C",
  requests_per_second double precision,
  burst               int,
  parent_key_id       text COLLATE "C",
  created_at          timestamptz NOT NULL DEFAULT now(),
  last_used_at        timestamptz,
  usage_count         bigint NOT NULL DEFAULT 0,
  expires_at          timestamptz,
  revoked_at          timestamptz,
  CHECK ((kind = 'memory') = (memory_id IS NOT NULL)),
  CHECK (space_id IS NULL OR memory_id IS NOT NULL)
);
CREATE INDEX api_keys_by_tenant ON api_keys (tenant_id, key_id);
CREATE INDEX api_keys_by_owner ON api_keys (owner_tenant_id, key_id);
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_isolation ON api_keys
  USING (tenant_id = current_tenant() OR owner_tenant_id = current_tenant())
  WITH CHECK (tenant_id = current_tenant() OR owner_tenant_id = current_tenant());
SELECT let_worker_cross_tenants('api_keys');
