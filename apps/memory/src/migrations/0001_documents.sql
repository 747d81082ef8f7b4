-- Documents, the text that waits to be ingested, and the chunks that searches answer with.

CREATE TABLE documents (
  tenant_id      text NOT NULL COLLATE "C",
  memory_id      text NOT NULL COLLATE "C",
  doc_id         text NOT NULL COLLATE "C",
  workspace_id   text NOT NULL COLLATE "C",
  livemode       boolean NOT NULL,
  vault_id       text NOT NULL COLLATE "C",
  space_id       text COLLATE "C",
  external_id    text COLLATE "C",
  title          text NOT NULL,
  source_uri     text,
  media_type     text NOT NULL,
  metadata       jsonb NOT NULL DEFAULT '{}',
  content_sha256 bytea NOT NULL,
  content_bytes  bigint NOT NULL,
  occurred_at    timestamptz,
  status         text NOT NULL,
  error_code     text,
  error_message  text,
  chunk_count    int NOT NULL DEFAULT 0,
  created_at     timestamptz NOT NULL DEFAULT now(),
  updated_at     timestamptz NOT NULL DEFAULT now(),
  completed_at   timestamptz,
  PRIMARY KEY (tenant_id, memory_id, doc_id),
  CHECK (status IN ('queued', 'parsing', 'screening', 'routing', 'indexing', 'linking', 'completed', 'failed'))
);
-- One document per external id and vault, and one per content among those without an external id. A failed
-- document does not stand in the way of another try with the same content.
CREATE UNIQUE INDEX documents_by_external_id ON documents (tenant_id, memory_id, vault_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX documents_by_content ON documents (tenant_id, memory_id, vault_id, content_sha256)
  WHERE external_id IS NULL AND status <> 'failed';
SELECT isolate_by_tenant('documents');
SELECT let_worker_cross_tenants('documents');

-- What is still to be done. The text lies here only until the document is indexed.
CREATE TABLE ingest_queue (
  tenant_id    text NOT NULL COLLATE "C",
  memory_id    text NOT NULL COLLATE "C",
  doc_id       text NOT NULL COLLATE "C",
  content      text NOT NULL,
  attempts     int NOT NULL DEFAULT 0,
  owner        text,
  lease_until  timestamptz,
  due_at       timestamptz NOT NULL DEFAULT now(),
  queued_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, doc_id)
);
ALTER TABLE ingest_queue ALTER COLUMN content SET STORAGE EXTENDED;
CREATE INDEX ingest_queue_by_due ON ingest_queue (due_at);
SELECT isolate_by_tenant('ingest_queue');
SELECT let_worker_cross_tenants('ingest_queue');

CREATE TABLE chunks (
  tenant_id      text NOT NULL COLLATE "C",
  memory_id      text NOT NULL COLLATE "C",
  chunk_id       text NOT NULL COLLATE "C",
  doc_id         text NOT NULL COLLATE "C",
  vault_id       text NOT NULL COLLATE "C",
  ordinal        int NOT NULL,
  title_path     text NOT NULL,
  context_prefix text NOT NULL,
  body           text NOT NULL,
  body_sha256    bytea NOT NULL,
  location       jsonb NOT NULL,
  -- The time the index has for the chunk; a document that changes its time gets new chunks.
  occurred_at    timestamptz,
  PRIMARY KEY (tenant_id, memory_id, chunk_id)
);
CREATE INDEX chunks_by_document ON chunks (tenant_id, memory_id, doc_id, ordinal);
SELECT isolate_by_tenant('chunks');
SELECT let_worker_cross_tenants('chunks');
