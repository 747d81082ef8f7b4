-- Conversations and their turns.

CREATE TABLE threads (
  tenant_id    text NOT NULL COLLATE "C",
  memory_id    text NOT NULL COLLATE "C",
  thread_id    text NOT NULL COLLATE "C",
  workspace_id text NOT NULL COLLATE "C",
  vault_id     text NOT NULL COLLATE "C",
  space_id     text COLLATE "C",
  title        text NOT NULL,
  -- Whom usage of the conversation counts for.
  user_name    text,
  turn_count   int NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, thread_id)
);
CREATE INDEX threads_by_vault ON threads (tenant_id, memory_id, vault_id, thread_id);
SELECT isolate_by_tenant('threads');

CREATE TABLE turns (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  vault_id   text NOT NULL COLLATE "C",
  thread_id  text NOT NULL COLLATE "C",
  -- 1, 2, 3 … in the order of the conversation.
  ordinal    int NOT NULL,
  turn_id    text NOT NULL COLLATE "C",
  role       text NOT NULL CHECK (role IN ('user', 'assistant')),
  content    text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, thread_id, ordinal),
  FOREIGN KEY (tenant_id, thread_id) REFERENCES threads
);
CREATE INDEX turns_by_vault ON turns (tenant_id, memory_id, vault_id);
SELECT isolate_by_tenant('turns');
