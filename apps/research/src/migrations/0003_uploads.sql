-- Reference files of deep searches: what was read of them is a source of the run, and nobody else's.
CREATE TABLE uploads (
  tenant_id   text NOT NULL COLLATE "C",
  run_id      text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  path        text NOT NULL COLLATE "C",
  media_type  text NOT NULL,
  bytes       bigint NOT NULL,
  source_id   text NOT NULL COLLATE "C",
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, path)
);
SELECT isolate_by_tenant('uploads');
SELECT let_worker_cross_tenants('uploads');
