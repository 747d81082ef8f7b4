-- Who changed what: one row for each request that changed something. Names and ids only.
CREATE TABLE audit_events (
  tenant_id      text NOT NULL COLLATE "C",
  -- Sorts by time.
  audit_id       text NOT NULL COLLATE "C",
  occurred_at    timestamptz NOT NULL,
  operation      text NOT NULL,
  actor_id       text NOT NULL COLLATE "C",
  actor_kind     text NOT NULL,
  credential_id  text NOT NULL COLLATE "C",
  request_id     text NOT NULL,
  client_address text,
  -- Beside each other: the name of the field or parameter, and the id that it held.
  target_names   text[] NOT NULL,
  target_ids     text[] NOT NULL,
  status         int NOT NULL,
  -- Whether the status and the targets are those of the answer; they replace what the transaction said.
  answered       boolean NOT NULL,
  PRIMARY KEY (tenant_id, audit_id),
  CONSTRAINT targets_are_named CHECK (cardinality(target_names) = cardinality(target_ids))
);
CREATE INDEX audit_events_by_actor ON audit_events (tenant_id, actor_id, audit_id);
CREATE INDEX audit_events_by_operation ON audit_events (tenant_id, operation, audit_id);
CREATE INDEX audit_events_by_target ON audit_events USING gin (target_ids);
-- They come about in the order of their time, so a few bytes per page find those that have had theirs.
CREATE INDEX audit_events_by_time ON audit_events USING brin (occurred_at);
SELECT isolate_by_tenant('audit_events');
SELECT let_worker_cross_tenants('audit_events');
-- Requests only read.
DO $$ BEGIN
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON audit_events FROM %I', current_schema() || '_app');
END $$;
