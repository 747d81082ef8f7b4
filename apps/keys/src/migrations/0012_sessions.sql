-- Sessions of the console. Each stands for a key: what it may do, and how long at the most, is read from the key.
CREATE TABLE console_sessions (
  tenant_id       text NOT NULL COLLATE "C",
  session_id      text PRIMARY KEY COLLATE "C",
  key_id          text NOT NULL COLLATE "C" REFERENCES api_keys ON DELETE CASCADE,
  sha256          bytea NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
  address         text NOT NULL,
  user_agent      text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  last_used_at    timestamptz NOT NULL DEFAULT now(),
  -- A session that is not used for as long ends.
  idle_seconds    int NOT NULL CHECK (idle_seconds > 0),
  idle_expires_at timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  revoked_at      timestamptz
);
CREATE INDEX console_sessions_by_tenant ON console_sessions (tenant_id, session_id);
CREATE INDEX console_sessions_by_key ON console_sessions (key_id);
CREATE INDEX console_sessions_by_end ON console_sessions (expires_at);
SELECT isolate_by_tenant('console_sessions');
SELECT let_worker_cross_tenants('console_sessions');

-- Each opens one session for its key.
CREATE TABLE console_tickets (
  tenant_id   text NOT NULL COLLATE "C",
  ticket_id   text PRIMARY KEY COLLATE "C",
  key_id      text NOT NULL COLLATE "C" REFERENCES api_keys ON DELETE CASCADE,
  sha256      bytea NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz
);
CREATE INDEX console_tickets_by_key ON console_tickets (key_id);
CREATE INDEX console_tickets_by_end ON console_tickets (expires_at);
SELECT isolate_by_tenant('console_tickets');
SELECT let_worker_cross_tenants('console_tickets');
