-- Workspaces and memories that can be deleted, spaces, provider keys, the engines that hold memories, and the work
-- that goes on in the background.

ALTER TABLE workspaces ADD COLUMN deleted_at timestamptz;
-- Empty only while a deleted workspace is being erased.
ALTER TABLE workspaces ALTER COLUMN primary_memory_id DROP NOT NULL;
DROP INDEX workspaces_by_slug;
CREATE UNIQUE INDEX workspaces_by_slug ON workspaces (tenant_id, slug) WHERE deleted_at IS NULL;
DROP INDEX workspaces_one_default;
CREATE UNIQUE INDEX workspaces_one_default ON workspaces (tenant_id) WHERE is_default AND deleted_at IS NULL;

ALTER TABLE memories ADD COLUMN engine_id text NOT NULL DEFAULT 'default' COLLATE "C";
ALTER TABLE memories ALTER COLUMN engine_id DROP DEFAULT;
ALTER TABLE memories ADD COLUMN status_reason text;
CREATE UNIQUE INDEX memories_by_subdomain ON memories (subdomain);
CREATE INDEX memories_by_workspace ON memories (tenant_id, workspace_id, memory_id);
CREATE INDEX memories_by_engine ON memories (engine_id);

-- A label holds words of its memory's name, and what is deleted leaves no word: its digest is enough to never give it again.
ALTER TABLE subdomains ADD COLUMN label_sha256 bytea;
UPDATE subdomains SET label_sha256 = sha256(convert_to(subdomain, 'UTF8'));
ALTER TABLE subdomains DROP COLUMN subdomain;
ALTER TABLE subdomains ADD PRIMARY KEY (label_sha256);

CREATE TABLE spaces (
  tenant_id    text NOT NULL COLLATE "C" REFERENCES tenants,
  space_id     text PRIMARY KEY COLLATE "C",
  memory_id    text NOT NULL COLLATE "C" REFERENCES memories,
  vault_id     text NOT NULL UNIQUE COLLATE "C",
  name         text NOT NULL,
  slug         text NOT NULL,
  description  text NOT NULL,
  member_count int NOT NULL DEFAULT 0 CHECK (member_count >= 0),
  deleted_at   timestamptz,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX spaces_by_slug ON spaces (tenant_id, memory_id, slug) WHERE deleted_at IS NULL;
CREATE INDEX spaces_by_memory ON spaces (tenant_id, memory_id, space_id);
SELECT isolate_by_tenant('spaces');
SELECT let_worker_cross_tenants('spaces');

CREATE TABLE space_members (
  tenant_id  text NOT NULL COLLATE "C",
  space_id   text NOT NULL COLLATE "C" REFERENCES spaces,
  user_name  text NOT NULL COLLATE "C",
  role       text NOT NULL CHECK (role IN ('reader', 'writer')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, space_id, user_name)
);
SELECT isolate_by_tenant('space_members');
SELECT let_worker_cross_tenants('space_members');

CREATE TABLE provider_keys (
  tenant_id  text NOT NULL COLLATE "C" REFERENCES tenants,
  provider   text NOT NULL COLLATE "C",
  -- A JWE under a key-encryption key of the configuration.
  sealed     text NOT NULL,
  base_url   text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, provider)
);
SELECT isolate_by_tenant('provider_keys');
SELECT let_worker_cross_tenants('provider_keys');

-- PostgreSQL servers that hold memories. They belong to the operator, not to a tenant, and say nothing secret.
CREATE TABLE engines (
  engine_id  text PRIMARY KEY COLLATE "C",
  name       text NOT NULL UNIQUE,
  kind       text NOT NULL CHECK (kind IN ('shared', 'dedicated')),
  status     text NOT NULL CHECK (status IN ('provisioning', 'active', 'draining')),
  weight     int NOT NULL CHECK (weight > 0),
  -- host:port/database, without credentials.
  location   text NOT NULL,
  revision   bigint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO engines (engine_id, name, kind, status, weight, location) VALUES ('default', 'default', 'shared', 'active', 1, '');

-- How to get there, sealed. Only background work may look.
CREATE TABLE engine_secrets (
  engine_id  text PRIMARY KEY COLLATE "C" REFERENCES engines,
  sealed     text NOT NULL
);

-- Work that outlives its request: each row is one state machine, its step is durable.
CREATE TABLE jobs (
  tenant_id   text NOT NULL COLLATE "C",
  job_id      text PRIMARY KEY COLLATE "C",
  kind        text NOT NULL,
  -- What it is about; one job of a kind for each.
  subject_id  text NOT NULL COLLATE "C",
  detail      jsonb NOT NULL DEFAULT '{}',
  step        text NOT NULL,
  attempts    int NOT NULL DEFAULT 0,
  error       text,
  owner       text,
  lease_until timestamptz,
  due_at      timestamptz NOT NULL DEFAULT now(),
  created_at  timestamptz NOT NULL DEFAULT now(),
  UNIQUE (kind, subject_id)
);
CREATE INDEX jobs_by_due ON jobs (due_at);
SELECT isolate_by_tenant('jobs');
SELECT let_worker_cross_tenants('jobs');

DO $$ BEGIN
  EXECUTE format('REVOKE ALL ON engine_secrets FROM %I', current_schema() || '_app');
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON engines FROM %I', current_schema() || '_app');
END $$;
