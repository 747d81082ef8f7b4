-- A charge that a start is about to reserve. The run's own transaction deletes it, so whatever stays here belongs to a
-- start that failed or was killed, and its reservation is released.
CREATE TABLE charge_intents (
  tenant_id    text NOT NULL COLLATE "C",
  run_id       text PRIMARY KEY COLLATE "C",
  declared_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX charge_intents_by_time ON charge_intents (declared_at);
SELECT isolate_by_tenant('charge_intents');
SELECT let_worker_cross_tenants('charge_intents');
