-- The queue of the specs, and what its workers commit.

CREATE TABLE jobs (
  tenant_id    text NOT NULL COLLATE "C",
  job_id       text PRIMARY KEY COLLATE "C",
  owner        text,
  lease_until  timestamptz,
  due_at       timestamptz NOT NULL DEFAULT now(),
  attempts     int NOT NULL DEFAULT 0,
  done         boolean NOT NULL DEFAULT false
);
SELECT isolate_by_tenant('jobs');
SELECT let_worker_cross_tenants('jobs');

CREATE TABLE results (
  tenant_id  text NOT NULL COLLATE "C",
  job_id     text NOT NULL COLLATE "C",
  owner      text NOT NULL
);
SELECT isolate_by_tenant('results');
SELECT let_worker_cross_tenants('results');
