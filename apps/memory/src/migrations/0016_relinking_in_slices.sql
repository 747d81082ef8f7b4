-- How far a memory has been read again by the extractor's version `relink_version`, up to the document `relink_after`,
-- so that reading takes turns with other memories and goes on where it stopped.
ALTER TABLE graph_memories
  ADD COLUMN relink_version int NOT NULL DEFAULT 0,
  ADD COLUMN relink_after text NOT NULL DEFAULT '',
  ADD COLUMN relinked_at timestamptz;
