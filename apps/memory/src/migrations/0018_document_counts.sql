-- What the statistics of a memory count. Partial, though the condition always holds: only statements that say it may use
-- the index, so that without statistics none takes it for the primary key and reads it from end to end.
CREATE INDEX documents_counted ON documents (memory_id, vault_id, status, error_code, media_type, space_id, tenant_id)
  WHERE content_bytes >= 0;
CREATE INDEX documents_completed ON documents (memory_id, completed_at, vault_id, tenant_id) WHERE completed_at IS NOT NULL;
