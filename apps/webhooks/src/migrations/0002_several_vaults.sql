-- An event may speak of documents in several vaults: two that disagree need not lie in one space.
ALTER TABLE webhook_events ADD COLUMN vault_ids text[] NOT NULL DEFAULT '{}';
-- Forced row-level security would show its owner no row.
ALTER TABLE webhook_events NO FORCE ROW LEVEL SECURITY;
UPDATE webhook_events SET vault_ids = ARRAY[vault_id] WHERE vault_id <> '';
ALTER TABLE webhook_events FORCE ROW LEVEL SECURITY;
DROP INDEX webhook_events_by_scope;
ALTER TABLE webhook_events DROP COLUMN vault_id;
CREATE INDEX webhook_events_by_scope ON webhook_events (tenant_id, memory_id);
