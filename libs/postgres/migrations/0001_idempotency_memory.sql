-- Which memory a kept answer is about, so that it goes when the memory does. NULL: none, or from before this column.
ALTER TABLE idempotency_keys ADD COLUMN memory_id text COLLATE "C";
CREATE INDEX idempotency_keys_by_memory ON idempotency_keys (tenant_id, memory_id) WHERE memory_id IS NOT NULL;
