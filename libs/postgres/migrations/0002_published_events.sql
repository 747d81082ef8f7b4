-- Events that the broker has acknowledged. They are kept for some hours, so that a broker that lost its streams can be
-- given them again. Rows come at one end and go at the other, so the space of deleted ones is used again.
CREATE TABLE published_events (
  tenant_id     text NOT NULL COLLATE "C",
  event_id      text NOT NULL COLLATE "C",
  subject       text NOT NULL,
  payload       bytea NOT NULL,
  published_at  timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX published_events_by_age ON published_events (published_at);
-- For erasures.
CREATE INDEX published_events_by_tenant ON published_events (tenant_id);
SELECT isolate_by_tenant('published_events');
SELECT let_worker_cross_tenants('published_events');
