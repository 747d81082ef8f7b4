-- How many permitted requests there were, hour by hour, and how long they took.
CREATE TABLE request_counts (
  tenant_id    text NOT NULL COLLATE "C",
  -- UTC.
  hour         timestamptz NOT NULL,
  -- The key, or the client of an OAuth token. It may be gone by now.
  key_id       text NOT NULL COLLATE "C",
  operation    text NOT NULL COLLATE "C",
  -- First digit of the HTTP status.
  status_class smallint NOT NULL CHECK (status_class BETWEEN 1 AND 9),
  requests     bigint NOT NULL CHECK (requests > 0),
  -- How many took up to each bound of the contract, and longer than the last.
  durations    bigint[] NOT NULL,
  PRIMARY KEY (tenant_id, hour, key_id, operation, status_class)
) WITH (fillfactor = 70);
-- Rows come about in the order of their hour, so a few bytes per page find those that have had their time.
CREATE INDEX request_counts_by_hour ON request_counts USING brin (hour);
SELECT isolate_by_tenant('request_counts');
SELECT let_worker_cross_tenants('request_counts');
-- Requests only read.
DO $$ BEGIN
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON request_counts FROM %I', current_schema() || '_app');
END $$;
