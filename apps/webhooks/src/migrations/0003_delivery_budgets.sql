-- How many deliveries may be started, over all replicas: by one tenant to one host or address, to one host or address
-- by everyone, by one tenant, and in the test environment. A row outlives its replicas, so a restart grants no burst.
-- Belongs to no tenant, and is forgotten after an hour without deliveries.
CREATE TABLE delivery_budgets (
  budget_key       text PRIMARY KEY COLLATE "C",
  per_second       double precision NOT NULL,
  tokens           double precision NOT NULL,
  -- Of a host or address: for deliveries of tenants whose traffic it has not accepted yet.
  unproven_tokens  double precision NOT NULL,
  refilled_at      timestamptz NOT NULL,
  -- What was accepted and what failed since then; decides whether `per_second` grows or shrinks.
  window_began_at  timestamptz NOT NULL,
  accepted         int NOT NULL DEFAULT 0,
  failed           int NOT NULL DEFAULT 0,
  -- Attempts in flight for each replica, believed until its time: a replica that died stops counting.
  in_flight        jsonb NOT NULL DEFAULT '{}'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

DO $$
BEGIN
  EXECUTE format('REVOKE ALL ON delivery_budgets FROM %I', current_schema() || '_app');
END $$;
