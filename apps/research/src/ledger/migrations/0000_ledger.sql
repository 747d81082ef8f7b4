-- Runs that survive their process: who works on them, which of their steps are done, what they were told, and what
-- they tell.

CREATE TABLE runs (
  tenant_id        text NOT NULL COLLATE "C",
  run_id           text PRIMARY KEY COLLATE "C",
  kind             text NOT NULL,
  status           text NOT NULL CHECK (status IN
                     ('held', 'queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'expired')),
  input            jsonb NOT NULL,
  result           jsonb,
  error            jsonb,
  -- The boot of a process that works on it, and how long it may go without a sign of life.
  owner            text,
  lease_until      timestamptz,
  -- Counts the owners; whoever commits under another than the present one is too late.
  epoch            bigint NOT NULL DEFAULT 0,
  attempts         int NOT NULL DEFAULT 0,
  -- held: when it expires. queued: not before. waiting: when the default answer is taken.
  wake_at          timestamptz,
  last_seq         bigint NOT NULL DEFAULT 0,
  idempotency_key  text COLLATE "C",
  created_at       timestamptz NOT NULL DEFAULT now(),
  started_at       timestamptz,
  finished_at      timestamptz,
  UNIQUE (tenant_id, idempotency_key)
);
CREATE INDEX runs_by_due ON runs (wake_at) WHERE status IN ('held', 'queued', 'waiting');
CREATE INDEX runs_by_lease ON runs (lease_until) WHERE status = 'running';
CREATE INDEX runs_by_owner ON runs (owner) WHERE status = 'running';
SELECT isolate_by_tenant('runs');
SELECT let_worker_cross_tenants('runs');

CREATE TABLE run_steps (
  tenant_id  text NOT NULL COLLATE "C",
  run_id     text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  step_key   text NOT NULL COLLATE "C",
  result     jsonb NOT NULL,
  done_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, step_key)
);
SELECT isolate_by_tenant('run_steps');
SELECT let_worker_cross_tenants('run_steps');

CREATE TABLE run_messages (
  tenant_id  text NOT NULL COLLATE "C",
  run_id     text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  topic      text NOT NULL COLLATE "C",
  body       jsonb NOT NULL,
  sent_at    timestamptz NOT NULL DEFAULT now(),
  -- The first message on a topic is the answer; a second one changes nothing.
  PRIMARY KEY (run_id, topic)
);
SELECT isolate_by_tenant('run_messages');
SELECT let_worker_cross_tenants('run_messages');

CREATE TABLE run_events (
  tenant_id  text NOT NULL COLLATE "C",
  run_id     text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  seq        bigint NOT NULL,
  type       text NOT NULL,
  data       jsonb NOT NULL,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (run_id, seq)
);
SELECT isolate_by_tenant('run_events');
SELECT let_worker_cross_tenants('run_events');
