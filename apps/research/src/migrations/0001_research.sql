-- What the ledger's runs are about: prompts and reports, lists with evidence, sources and what was found in them.

CREATE TABLE research_runs (
  tenant_id      text NOT NULL COLLATE "C",
  run_id         text PRIMARY KEY COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  kind           text NOT NULL,
  prompt         text NOT NULL,
  list_id        text COLLATE "C",
  workspace_id   text NOT NULL COLLATE "C",
  memory_id      text NOT NULL COLLATE "C",
  livemode       boolean NOT NULL,
  -- Who started it; what it uses counts for them.
  key_id         text NOT NULL COLLATE "C",
  credential_id  text NOT NULL COLLATE "C",
  user_name      text NOT NULL DEFAULT '',
  live_page      boolean NOT NULL DEFAULT false,
  total_target   int,
  criteria       jsonb NOT NULL DEFAULT '[]',
  stage          text NOT NULL DEFAULT 'waiting',
  percent        int NOT NULL DEFAULT 0,
  candidates     int NOT NULL DEFAULT 0,
  question       jsonb,
  assumptions    jsonb NOT NULL DEFAULT '[]',
  brief          text NOT NULL DEFAULT '',
  report         text NOT NULL DEFAULT '',
  generated      boolean NOT NULL DEFAULT false,
  input_tokens   bigint NOT NULL DEFAULT 0,
  output_tokens  bigint NOT NULL DEFAULT 0,
  cost_nano_usd  bigint NOT NULL DEFAULT 0,
  citations      jsonb NOT NULL DEFAULT '[]',
  charge         text NOT NULL DEFAULT '',
  micro_credits  bigint NOT NULL DEFAULT 0,
  -- settling, releasing: usage has not confirmed it yet.
  charge_state   text NOT NULL DEFAULT 'none'
                   CHECK (charge_state IN ('none', 'reserved', 'settling', 'settled', 'releasing', 'released')),
  charge_due_at  timestamptz,
  created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX research_runs_by_memory ON research_runs (tenant_id, memory_id);
CREATE INDEX research_runs_by_charge ON research_runs (charge_due_at) WHERE charge_state IN ('settling', 'releasing');
SELECT isolate_by_tenant('research_runs');
SELECT let_worker_cross_tenants('research_runs');

CREATE TABLE lists (
  tenant_id         text NOT NULL COLLATE "C",
  list_id           text PRIMARY KEY COLLATE "C",
  run_id            text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  list_name         text NOT NULL,
  list_description  text NOT NULL,
  list_status       text NOT NULL CHECK (list_status IN ('building', 'ready', 'stopped', 'failed')),
  list_type         text NOT NULL CHECK (list_type IN ('company', 'people', 'web')),
  records           int NOT NULL DEFAULT 0,
  created_at        timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX lists_by_tenant ON lists (tenant_id, list_id);
SELECT isolate_by_tenant('lists');
SELECT let_worker_cross_tenants('lists');

CREATE TABLE list_rows (
  tenant_id     text NOT NULL COLLATE "C",
  row_id        text PRIMARY KEY COLLATE "C",
  list_id       text NOT NULL COLLATE "C" REFERENCES lists ON DELETE CASCADE,
  position      int NOT NULL,
  -- Whom or what it is about, so that nobody is listed twice.
  identity_key  text NOT NULL,
  name          text NOT NULL,
  cells         jsonb NOT NULL,
  sources       jsonb NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  UNIQUE (list_id, identity_key),
  UNIQUE (list_id, position)
);
SELECT isolate_by_tenant('list_rows');
SELECT let_worker_cross_tenants('list_rows');

CREATE TABLE sources (
  tenant_id    text NOT NULL COLLATE "C",
  run_id       text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  source_id    text NOT NULL COLLATE "C",
  -- Where it is from, so that one is kept once: a document's id, an address, an upload's path.
  origin       text NOT NULL COLLATE "C",
  kind         text NOT NULL CHECK (kind IN ('memory', 'web', 'upload')),
  title        text NOT NULL,
  uri          text,
  body         text NOT NULL,
  occurred_at  timestamptz,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, source_id),
  UNIQUE (run_id, origin)
);
SELECT isolate_by_tenant('sources');
SELECT let_worker_cross_tenants('sources');

CREATE TABLE findings (
  tenant_id   text NOT NULL COLLATE "C",
  run_id      text NOT NULL COLLATE "C",
  finding_id  text NOT NULL COLLATE "C",
  source_id   text NOT NULL COLLATE "C",
  -- The quote is the source's body from here on, in UTF-16 units.
  start_at    int NOT NULL,
  quote       text NOT NULL,
  topic       text NOT NULL,
  score       real NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, finding_id),
  UNIQUE (run_id, source_id, start_at),
  FOREIGN KEY (run_id, source_id) REFERENCES sources ON DELETE CASCADE
);
SELECT isolate_by_tenant('findings');
SELECT let_worker_cross_tenants('findings');

CREATE TABLE conflicts (
  tenant_id    text NOT NULL COLLATE "C",
  run_id       text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  conflict_id  text NOT NULL COLLATE "C",
  subject      text NOT NULL,
  finding_ids  text[] NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, conflict_id)
);
SELECT isolate_by_tenant('conflicts');
SELECT let_worker_cross_tenants('conflicts');

-- Tickets that were used; each opens one WebSocket. Gone when they would be expired anyway.
CREATE TABLE used_tickets (
  tenant_id   text NOT NULL COLLATE "C",
  ticket_id   text PRIMARY KEY COLLATE "C",
  expires_at  timestamptz NOT NULL
);
SELECT isolate_by_tenant('used_tickets');
SELECT let_worker_cross_tenants('used_tickets');
