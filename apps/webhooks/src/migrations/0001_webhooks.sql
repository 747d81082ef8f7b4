CREATE TABLE webhooks (
  tenant_id          text NOT NULL COLLATE "C",
  webhook_id         text PRIMARY KEY COLLATE "C",
  url                text NOT NULL,
  events             text[] NOT NULL,
  description        text NOT NULL,
  active             boolean NOT NULL,
  auto_replay        boolean NOT NULL,
  livemode           boolean NOT NULL,
  secret_sealed      text NOT NULL,
  -- Of a rotation under way: it signs beside the other one, and alone from `secret_rotates_at` on.
  next_secret_sealed text,
  secret_rotates_at  timestamptz,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  -- Gone for everybody; its deliveries are erased in the background, and then the row.
  deleted_at         timestamptz,
  CHECK ((next_secret_sealed IS NULL) = (secret_rotates_at IS NULL))
);
CREATE INDEX webhooks_by_tenant ON webhooks (tenant_id, webhook_id);
CREATE INDEX webhooks_deleted ON webhooks (webhook_id) WHERE deleted_at IS NOT NULL;
CREATE INDEX webhooks_rotating ON webhooks (secret_rotates_at) WHERE secret_rotates_at IS NOT NULL;
SELECT isolate_by_tenant('webhooks');
SELECT let_worker_cross_tenants('webhooks');

-- An event that somebody subscribed to, as it is sent: byte by byte the same at every attempt.
CREATE TABLE webhook_events (
  tenant_id   text NOT NULL COLLATE "C",
  event_id    text PRIMARY KEY COLLATE "C",
  event       text NOT NULL,
  memory_id   text NOT NULL COLLATE "C",
  vault_id    text NOT NULL COLLATE "C",
  body        text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_events_by_scope ON webhook_events (tenant_id, memory_id, vault_id);
CREATE INDEX webhook_events_by_age ON webhook_events USING brin (created_at);
SELECT isolate_by_tenant('webhook_events');
SELECT let_worker_cross_tenants('webhook_events');

-- What became of an event for one webhook. The state changes in place: no index holds it.
CREATE TABLE deliveries (
  tenant_id    text NOT NULL COLLATE "C",
  delivery_id  text PRIMARY KEY COLLATE "C",
  webhook_id   text NOT NULL COLLATE "C",
  event_id     text NOT NULL COLLATE "C",
  event        text NOT NULL,
  state        text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead_lettered', 'test_failed')),
  -- Of the attempts so far, kept up to date when it leaves the queue.
  attempts     int NOT NULL DEFAULT 0,
  round        int NOT NULL DEFAULT 1,
  auto_replays int NOT NULL DEFAULT 0,
  settled_at   timestamptz,
  created_at   timestamptz NOT NULL DEFAULT now(),
  UNIQUE (event_id, webhook_id)
) WITH (fillfactor = 80);
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, delivery_id);
CREATE INDEX deliveries_by_age ON deliveries USING brin (created_at);
SELECT isolate_by_tenant('deliveries');
SELECT let_worker_cross_tenants('deliveries');

-- Deliveries that are due now or later. A claim keeps others away while one attempt is made.
CREATE TABLE delivery_queue (
  tenant_id      text NOT NULL COLLATE "C",
  delivery_id    text PRIMARY KEY COLLATE "C",
  webhook_id     text NOT NULL COLLATE "C",
  event_id       text NOT NULL COLLATE "C",
  due_at         timestamptz NOT NULL,
  -- Attempts begun, over all rounds; also the fence of the claim.
  attempts       int NOT NULL,
  round          int NOT NULL,
  retry          int NOT NULL DEFAULT 0,
  is_test        boolean NOT NULL DEFAULT false,
  claimed_until  timestamptz
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
CREATE INDEX delivery_queue_due ON delivery_queue (webhook_id, due_at);
CREATE INDEX delivery_queue_claimed ON delivery_queue (claimed_until) WHERE claimed_until IS NOT NULL;
SELECT isolate_by_tenant('delivery_queue');
SELECT let_worker_cross_tenants('delivery_queue');

-- Written before the request is sent, so that an attempt that nobody lived to record is known too.
CREATE TABLE delivery_attempts (
  tenant_id         text NOT NULL COLLATE "C",
  delivery_id       text NOT NULL COLLATE "C",
  attempt           int NOT NULL,
  round             int NOT NULL,
  retry             int NOT NULL,
  started_at        timestamptz NOT NULL,
  outcome           text,
  status            int,
  latency_ms        int,
  error             text,
  answer            bytea,
  answer_truncated  boolean NOT NULL DEFAULT false,
  PRIMARY KEY (delivery_id, attempt)
) WITH (fillfactor = 80);
SELECT isolate_by_tenant('delivery_attempts');
SELECT let_worker_cross_tenants('delivery_attempts');

CREATE TABLE dead_letters (
  tenant_id         text NOT NULL COLLATE "C",
  delivery_id       text PRIMARY KEY COLLATE "C",
  webhook_id        text NOT NULL COLLATE "C",
  dead_lettered_at  timestamptz NOT NULL
);
CREATE INDEX dead_letters_by_webhook ON dead_letters (webhook_id, delivery_id);
CREATE INDEX dead_letters_by_age ON dead_letters (dead_lettered_at);
SELECT isolate_by_tenant('dead_letters');
SELECT let_worker_cross_tenants('dead_letters');

-- What was deleted for good: events about it that are still on their way are dropped. Empty ids mean everything above.
CREATE TABLE closed_scopes (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  vault_id   text NOT NULL COLLATE "C",
  closed_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, vault_id)
);
SELECT isolate_by_tenant('closed_scopes');
SELECT let_worker_cross_tenants('closed_scopes');
