-- Files and addresses beside text, screening, routing, and one queue in which no tenant waits for another's documents.

ALTER TABLE documents
  -- The memory's root vault when no space was named, so that the document was routed; NULL otherwise. What is handed in
  -- again without a space is looked for by it, wherever it was routed to.
  ADD COLUMN intake_vault_id    text COLLATE "C",
  -- Of everything that was handed in; tells a repeat from a new version without keeping what was handed in.
  ADD COLUMN version_sha256     bytea,
  ADD COLUMN routing_confidence double precision,
  ADD COLUMN needs_review       boolean NOT NULL DEFAULT false,
  ADD COLUMN reviewed_at        timestamptz,
  -- [{kind, count}] of what screening masked.
  ADD COLUMN masked             jsonb NOT NULL DEFAULT '[]';
CREATE UNIQUE INDEX documents_by_intake_external_id ON documents (tenant_id, memory_id, intake_vault_id, external_id)
  WHERE intake_vault_id IS NOT NULL AND external_id IS NOT NULL;
CREATE UNIQUE INDEX documents_by_intake_content ON documents (tenant_id, memory_id, intake_vault_id, content_sha256)
  WHERE intake_vault_id IS NOT NULL AND external_id IS NULL AND status <> 'failed';
CREATE INDEX documents_to_review ON documents (vault_id, doc_id) WHERE needs_review;
CREATE INDEX documents_reviewed ON documents (vault_id, reviewed_at) WHERE reviewed_at IS NOT NULL;

ALTER TABLE ingest_queue
  ALTER COLUMN content DROP NOT NULL,
  -- What was handed in, sealed: neither this table's dead rows nor the write-ahead log hold a word of it. NULL once the
  -- document is indexed and only has to be linked.
  ADD COLUMN payload bytea,
  ADD COLUMN bytes   bigint NOT NULL DEFAULT 0,
  -- 0: text that is ready to be read, in batches; 1: files and addresses, one by one.
  ADD COLUMN lane    smallint NOT NULL DEFAULT 0,
  -- Why the attempt before was given up; a code, never a text of the document.
  ADD COLUMN cause   text;
ALTER TABLE ingest_queue ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE INDEX ingest_queue_by_tenant ON ingest_queue (lane, tenant_id, due_at, doc_id);
DROP INDEX ingest_queue_by_due;

-- What a tenant keeps on this engine, as differences, so that those who add do not wait for each other. Background
-- work adds them up. A new version of a document notes its own difference; triggers note the rest.
CREATE TABLE storage_changes (
  tenant_id  text NOT NULL COLLATE "C",
  documents  bigint NOT NULL,
  bytes      bigint NOT NULL,
  made_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX storage_changes_by_tenant ON storage_changes (tenant_id);
SELECT isolate_by_tenant('storage_changes');
SELECT let_worker_cross_tenants('storage_changes');

CREATE FUNCTION note_storage_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO storage_changes (tenant_id, documents, bytes)
      SELECT tenant_id, count(*), sum(content_bytes) FROM added GROUP BY tenant_id;
  ELSE
    INSERT INTO storage_changes (tenant_id, documents, bytes)
      SELECT tenant_id, -count(*), -sum(content_bytes) FROM removed GROUP BY tenant_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER documents_added AFTER INSERT ON documents
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_storage_change();
CREATE TRIGGER documents_removed AFTER DELETE ON documents
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION note_storage_change();
INSERT INTO storage_changes (tenant_id, documents, bytes)
  SELECT tenant_id, count(*), sum(content_bytes) FROM documents GROUP BY tenant_id;
