-- What the statistics of a memory count. Neither index has a document's id, so neither is taken for the primary key's.
CREATE INDEX documents_counted ON documents (memory_id, vault_id, status, error_code, media_type, space_id, tenant_id);
CREATE INDEX documents_completed ON documents (memory_id, completed_at, vault_id, tenant_id) WHERE completed_at IS NOT NULL;
