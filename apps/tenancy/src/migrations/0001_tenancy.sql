CREATE TABLE tenants (
  tenant_id          text PRIMARY KEY COLLATE "C",
  -- The live tenant whose non-production twin this is.
  twin_of            text COLLATE "C" REFERENCES tenants,
  name               text NOT NULL,
  livemode           boolean NOT NULL,
  plan               text NOT NULL,
  status             text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'deleting')),
  revision           bigint NOT NULL DEFAULT 1,
  next_memory_serial int NOT NULL DEFAULT 1,
  created_at         timestamptz NOT NULL DEFAULT now(),
  CHECK (livemode = (twin_of IS NULL))
);
CREATE UNIQUE INDEX tenants_one_twin ON tenants (twin_of) WHERE twin_of IS NOT NULL;
SELECT isolate_by_tenant('tenants');
SELECT let_worker_cross_tenants('tenants');

CREATE TABLE workspaces (
  tenant_id         text NOT NULL COLLATE "C" REFERENCES tenants,
  workspace_id      text PRIMARY KEY COLLATE "C",
  name              text NOT NULL,
  description       text NOT NULL,
  slug              text NOT NULL,
  is_default        boolean NOT NULL,
  primary_memory_id text NOT NULL COLLATE "C",
  created_at        timestamptz NOT NULL DEFAULT now(),
  updated_at        timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX workspaces_by_slug ON workspaces (tenant_id, slug);
CREATE UNIQUE INDEX workspaces_one_default ON workspaces (tenant_id) WHERE is_default;
CREATE INDEX workspaces_by_tenant ON workspaces (tenant_id, workspace_id);
SELECT isolate_by_tenant('workspaces');
SELECT let_worker_cross_tenants('workspaces');

CREATE TABLE memories (
  tenant_id     text NOT NULL COLLATE "C" REFERENCES tenants,
  memory_id     text PRIMARY KEY COLLATE "C",
  workspace_id  text NOT NULL COLLATE "C" REFERENCES workspaces DEFERRABLE INITIALLY DEFERRED,
  display_name  text NOT NULL,
  type          text NOT NULL CHECK (type IN ('shared', 'dedicated')),
  status        text NOT NULL CHECK (status IN ('provisioning', 'active', 'suspended', 'deleting', 'failed')),
  memory_serial int NOT NULL,
  subdomain     text NOT NULL COLLATE "C",
  root_vault_id text NOT NULL COLLATE "C",
  dlp_policy    text NOT NULL CHECK (dlp_policy IN ('off', 'secrets', 'pii')),
  created_at    timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, memory_serial)
);
ALTER TABLE workspaces ADD FOREIGN KEY (primary_memory_id) REFERENCES memories DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX memories_by_tenant ON memories (tenant_id, memory_id);
SELECT isolate_by_tenant('memories');
SELECT let_worker_cross_tenants('memories');

-- Every hostname label ever given; a row outlives its memory, so that no label is given twice.
CREATE TABLE subdomains (
  subdomain  text PRIMARY KEY COLLATE "C",
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C"
);
SELECT isolate_by_tenant('subdomains');
SELECT let_worker_cross_tenants('subdomains');
