-- Clients that registered themselves. Nobody has proved anything, so they belong to no tenant.
CREATE TABLE app_clients (
  client_id     text PRIMARY KEY COLLATE "C",
  name          text NOT NULL,
  redirect_uris text[] NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  -- A day, and later once somebody has connected it.
  expires_at    timestamptz NOT NULL
);
CREATE INDEX app_clients_by_end ON app_clients (expires_at);

-- What a key or a member has granted to a client. What the app may do at the most is read from the key.
CREATE TABLE connected_apps (
  tenant_id    text NOT NULL COLLATE "C",
  app_id       text PRIMARY KEY COLLATE "C",
  key_id       text NOT NULL COLLATE "C" REFERENCES api_keys ON DELETE CASCADE,
  client_id    text NOT NULL,
  client_name  text NOT NULL,
  scopes       text[] NOT NULL,
  memory_id    text NOT NULL COLLATE "C",
  space_id     text NOT NULL COLLATE "C",
  resource     text NOT NULL,
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz,
  -- Moved by each refresh.
  expires_at   timestamptz NOT NULL,
  -- It is not moved beyond.
  ends_at      timestamptz NOT NULL,
  revoked_at   timestamptz
);
CREATE INDEX connected_apps_by_tenant ON connected_apps (tenant_id, app_id);
CREATE INDEX connected_apps_by_key ON connected_apps (key_id);
CREATE INDEX connected_apps_by_end ON connected_apps (expires_at);
SELECT isolate_by_tenant('connected_apps');
SELECT let_worker_cross_tenants('connected_apps');

CREATE TABLE app_codes (
  tenant_id      text NOT NULL COLLATE "C",
  sha256         bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
  app_id         text NOT NULL COLLATE "C" REFERENCES connected_apps ON DELETE CASCADE,
  redirect_uri   text NOT NULL,
  code_challenge text NOT NULL,
  expires_at     timestamptz NOT NULL,
  used_at        timestamptz
);
CREATE INDEX app_codes_by_app ON app_codes (app_id);
SELECT isolate_by_tenant('app_codes');
SELECT let_worker_cross_tenants('app_codes');

CREATE TABLE app_tokens (
  tenant_id  text NOT NULL COLLATE "C",
  sha256     bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
  app_id     text NOT NULL COLLATE "C" REFERENCES connected_apps ON DELETE CASCADE,
  kind       text NOT NULL CHECK (kind IN ('access', 'refresh')),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Of a refresh token, which can be used once.
  used_at    timestamptz
);
CREATE INDEX app_tokens_by_app ON app_tokens (app_id, kind, created_at);
CREATE INDEX app_tokens_by_end ON app_tokens (expires_at);
SELECT isolate_by_tenant('app_tokens');
SELECT let_worker_cross_tenants('app_tokens');
