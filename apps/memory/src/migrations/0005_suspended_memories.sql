-- Memories whose calls are refused for now; their data and their background work stay as they are.
CREATE TABLE suspended_memories (
  tenant_id    text NOT NULL COLLATE "C",
  memory_id    text NOT NULL COLLATE "C",
  suspended_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id)
);
SELECT isolate_by_tenant('suspended_memories');
