-- What the pages of a URL shape brought lately, so that a series without end that says nothing new is left.
CREATE TABLE crawl_shapes (
  tenant_id  text NOT NULL COLLATE "C",
  run_id     text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  shape      text NOT NULL COLLATE "C",
  -- Pages in a row that brought nothing new.
  barren     int NOT NULL DEFAULT 0,
  -- Fingerprints of the pages that did, the newest last.
  recent     jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (run_id, shape)
);
SELECT isolate_by_tenant('crawl_shapes');
SELECT let_worker_cross_tenants('crawl_shapes');
