-- What was asked of a memory whose owner has its searches kept, and what people said about the answers.

CREATE TABLE search_log_settings (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  enabled    boolean NOT NULL,
  keep_days  int NOT NULL CHECK (keep_days BETWEEN 1 AND 365),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id)
);
SELECT isolate_by_tenant('search_log_settings');
SELECT let_worker_cross_tenants('search_log_settings');

CREATE TABLE search_log (
  tenant_id     text NOT NULL COLLATE "C",
  memory_id     text NOT NULL COLLATE "C",
  -- In the order of time.
  search_id     text NOT NULL COLLATE "C",
  -- The vault of the space that was searched; the root vault for a search of the whole memory.
  vault_id      text NOT NULL COLLATE "C",
  space_id      text COLLATE "C",
  asked_at      timestamptz NOT NULL,
  -- Masked as the memory's documents are.
  question      text NOT NULL,
  answered      boolean NOT NULL,
  generated     boolean NOT NULL,
  confidence    real NOT NULL,
  -- Identifiers of documents and chunks, in the order of the answer.
  citations     jsonb NOT NULL,
  took_ms       int NOT NULL,
  credential_id text NOT NULL,
  -- NULL: nobody has said.
  helpful       boolean,
  comment       text,
  rated_at      timestamptz,
  PRIMARY KEY (tenant_id, memory_id, search_id)
);
CREATE INDEX search_log_by_time ON search_log (tenant_id, memory_id, asked_at);
SELECT isolate_by_tenant('search_log');
SELECT let_worker_cross_tenants('search_log');
