-- What came into a vault after a document: neighbouring turns of a conversation tell of each other.
CREATE INDEX documents_in_order ON documents (tenant_id, memory_id, vault_id, doc_id);
