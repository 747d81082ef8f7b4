-- What was handed in, kept beside what was made of it where a memory's owner wants that.
CREATE TABLE document_originals (
  tenant_id   text NOT NULL COLLATE "C",
  memory_id   text NOT NULL COLLATE "C",
  doc_id      text NOT NULL COLLATE "C",
  -- Sealed, as it waited in the queue.
  payload     bytea NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, doc_id),
  FOREIGN KEY (tenant_id, memory_id, doc_id) REFERENCES documents ON DELETE CASCADE
);
ALTER TABLE document_originals ALTER COLUMN payload SET STORAGE EXTERNAL;
SELECT isolate_by_tenant('document_originals');
SELECT let_worker_cross_tenants('document_originals');

-- Bytes of the original that is kept; NULL: none is. They count as stored.
ALTER TABLE documents ADD COLUMN original_bytes bigint;

CREATE OR REPLACE FUNCTION note_storage_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO storage_changes (tenant_id, documents, bytes)
      SELECT tenant_id, count(*), sum(content_bytes + coalesce(original_bytes, 0)) FROM added GROUP BY tenant_id;
  ELSE
    INSERT INTO storage_changes (tenant_id, documents, bytes)
      SELECT tenant_id, -count(*), -sum(content_bytes + coalesce(original_bytes, 0)) FROM removed GROUP BY tenant_id;
  END IF;
  RETURN NULL;
END $$;
