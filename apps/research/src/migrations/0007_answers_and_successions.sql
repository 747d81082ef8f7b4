-- What tables say to questions of a run, computed over all of their rows. The findings are rows that show it.
CREATE TABLE computed_answers (
  tenant_id    text NOT NULL COLLATE "C",
  run_id       text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  position     int NOT NULL,
  questions    jsonb NOT NULL,
  body         text NOT NULL,
  finding_ids  text[] NOT NULL,
  PRIMARY KEY (run_id, position)
);
SELECT isolate_by_tenant('computed_answers');
SELECT let_worker_cross_tenants('computed_answers');

-- A finding of a newer source says otherwise than one of an older one.
CREATE TABLE successions (
  tenant_id  text NOT NULL COLLATE "C",
  run_id     text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  newer_id   text NOT NULL COLLATE "C",
  older_id   text NOT NULL COLLATE "C",
  PRIMARY KEY (run_id, newer_id, older_id)
);
SELECT isolate_by_tenant('successions');
SELECT let_worker_cross_tenants('successions');
