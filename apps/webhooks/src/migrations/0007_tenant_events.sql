-- Every event of a tenant for a few days, for those who follow them as a stream. Positions rise in the order of the commits.
CREATE TABLE tenant_events (
  tenant_id    text NOT NULL COLLATE "C",
  event_id     text PRIMARY KEY COLLATE "C",
  position     bigint NOT NULL,
  event        text NOT NULL,
  livemode     boolean NOT NULL,
  memory_id    text NOT NULL COLLATE "C",
  vault_ids    text[] NOT NULL,
  body         text NOT NULL,
  occurred_at  timestamptz NOT NULL
);
CREATE UNIQUE INDEX tenant_events_by_position ON tenant_events (tenant_id, position);
CREATE INDEX tenant_events_by_age ON tenant_events (occurred_at);
SELECT isolate_by_tenant('tenant_events');
SELECT let_worker_cross_tenants('tenant_events');

-- A transaction that adds events holds its tenant's row until it commits, so that no position appears below one that was read.
CREATE TABLE event_positions (
  tenant_id        text PRIMARY KEY COLLATE "C",
  last_position    bigint NOT NULL,
  -- Events up to here are no longer kept.
  expired_through  bigint NOT NULL DEFAULT 0
);
SELECT isolate_by_tenant('event_positions');
SELECT let_worker_cross_tenants('event_positions');
