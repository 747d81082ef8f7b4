-- What was closed to be erased. These rows stay when nothing else of it does: ids and times only, so that whoever
-- still holds an older answer about a memory or a vault is refused for ever.
CREATE TABLE closed_scopes (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  -- Empty: the whole memory.
  vault_id   text NOT NULL COLLATE "C",
  closed_at  timestamptz NOT NULL DEFAULT now(),
  -- Deletions marked up to then have to leave the segments before the vault counts as erased.
  expunge_at timestamptz,
  erased_at  timestamptz,
  PRIMARY KEY (tenant_id, memory_id, vault_id)
);
-- What a reader has to know. Vaults that are gone have nothing that could be read.
CREATE INDEX closed_scopes_seen ON closed_scopes (tenant_id, memory_id) WHERE vault_id = '' OR erased_at IS NULL;
SELECT isolate_by_tenant('closed_scopes');

-- By the vault first: without statistics yet, an index that begins with tenant and memory would be taken for every
-- question about a memory, and read all of it.
CREATE INDEX documents_by_vault ON documents (vault_id, doc_id);
CREATE INDEX chunks_by_vault ON chunks (vault_id);

-- A deleted chunk's words stay in its segment until that is written anew; by these times it is, at the latest.
ALTER TABLE index_tombstones ADD COLUMN marked_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE index_memories ADD COLUMN expunge_before timestamptz;
