-- Clients of OAuth 2 client credentials. What a client may do is fixed when it is made.
CREATE TABLE oauth_clients (
  tenant_id           text NOT NULL COLLATE "C",
  client_id           text PRIMARY KEY COLLATE "C",
  name                text NOT NULL,
  secret_sha256       bytea NOT NULL CHECK (octet_length(secret_sha256) = 32),
  livemode            boolean NOT NULL,
  scopes              text[] NOT NULL,
  app_permissions     jsonb NOT NULL,
  ip_allowlist        text[] NOT NULL,
  requests_per_second double precision,
  burst               int,
  -- The key that made it.
  parent_key_id       text NOT NULL COLLATE "C",
  created_at          timestamptz NOT NULL DEFAULT now(),
  last_used_at        timestamptz,
  usage_count         bigint NOT NULL DEFAULT 0,
  expires_at          timestamptz,
  revoked_at          timestamptz
);
CREATE INDEX oauth_clients_by_tenant ON oauth_clients (tenant_id, client_id);
SELECT isolate_by_tenant('oauth_clients');
SELECT let_worker_cross_tenants('oauth_clients');

CREATE TABLE oauth_tokens (
  tenant_id   text NOT NULL COLLATE "C",
  token_id    text PRIMARY KEY COLLATE "C",
  client_id   text NOT NULL COLLATE "C" REFERENCES oauth_clients ON DELETE CASCADE,
  sha256      bytea NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
  scopes      text[] NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  revoked_at  timestamptz
);
CREATE INDEX oauth_tokens_by_client ON oauth_tokens (client_id);
CREATE INDEX oauth_tokens_by_end ON oauth_tokens (expires_at);
SELECT isolate_by_tenant('oauth_tokens');
SELECT let_worker_cross_tenants('oauth_tokens');
