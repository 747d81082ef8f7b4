-- What a language model said of a chunk's text: asked once for each text, kept as long as the chunk.
CREATE TABLE graph_readings (
  tenant_id   text NOT NULL COLLATE "C",
  memory_id   text NOT NULL COLLATE "C",
  doc_id      text NOT NULL COLLATE "C",
  chunk_id    text NOT NULL COLLATE "C",
  text_sha256 bytea NOT NULL,
  statements  jsonb NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, doc_id, chunk_id)
);
SELECT isolate_by_tenant('graph_readings');
CREATE INDEX graph_readings_by_text ON graph_readings (tenant_id, memory_id, text_sha256);
