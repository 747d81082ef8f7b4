-- Chunks as vectors, where the operator has configured an embedding model. Without one these tables stay empty.

-- The model whose vectors are wanted; one row, or none. `backfilled` says that every older chunk has been queued for it.
CREATE TABLE embedding_models (
  model       text PRIMARY KEY,
  dimensions  int NOT NULL,
  backfilled  boolean NOT NULL DEFAULT false,
  since       timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE embedding_queue (
  tenant_id    text NOT NULL COLLATE "C",
  memory_id    text NOT NULL COLLATE "C",
  chunk_id     text NOT NULL COLLATE "C",
  attempts     int NOT NULL DEFAULT 0,
  due_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, chunk_id),
  FOREIGN KEY (tenant_id, memory_id, chunk_id) REFERENCES chunks ON DELETE CASCADE
);
CREATE INDEX embedding_queue_by_due ON embedding_queue (due_at);
SELECT isolate_by_tenant('embedding_queue');
SELECT let_worker_cross_tenants('embedding_queue');

CREATE TABLE chunk_embeddings (
  tenant_id    text NOT NULL COLLATE "C",
  memory_id    text NOT NULL COLLATE "C",
  chunk_id     text NOT NULL COLLATE "C",
  model        text NOT NULL COLLATE "C",
  -- Of what was embedded: the same text of the same tenant is not embedded twice.
  text_sha256  bytea NOT NULL,
  -- Numbers of 32 bits, lowest byte first, of length 1 together.
  vector       bytea NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, chunk_id, model),
  FOREIGN KEY (tenant_id, memory_id, chunk_id) REFERENCES chunks ON DELETE CASCADE
);
ALTER TABLE chunk_embeddings ALTER COLUMN vector SET STORAGE PLAIN;
CREATE INDEX chunk_embeddings_by_text ON chunk_embeddings (tenant_id, model, text_sha256);
SELECT isolate_by_tenant('chunk_embeddings');
SELECT let_worker_cross_tenants('chunk_embeddings');

CREATE FUNCTION queue_for_embedding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM embedding_models) THEN
    INSERT INTO embedding_queue (tenant_id, memory_id, chunk_id)
    SELECT tenant_id, memory_id, chunk_id FROM added ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER chunks_for_embedding AFTER INSERT ON chunks REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION queue_for_embedding();
