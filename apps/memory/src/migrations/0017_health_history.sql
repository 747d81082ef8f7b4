-- What the health of a memory was, one row for each change and at least one a day on which it was assessed.
CREATE TABLE health_history (
  tenant_id         text NOT NULL COLLATE "C",
  memory_id         text NOT NULL COLLATE "C",
  assessed_at       timestamptz NOT NULL,
  score             double precision NOT NULL,
  -- Score and affected cases of each part.
  parts             jsonb NOT NULL,
  documents         int NOT NULL,
  -- Since the row before.
  documents_added   int NOT NULL,
  documents_deleted int NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, assessed_at)
);
SELECT isolate_by_tenant('health_history');
