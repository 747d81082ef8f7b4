-- What takes runs and what they read out of the world: erasures of tenants, memories and vaults, and time.

-- A tenant; with a memory that memory of it; with a vault that vault of the memory. Nothing about it is begun any more.
CREATE TABLE closed_scopes (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  vault_id   text NOT NULL COLLATE "C",
  closed_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, vault_id)
);
SELECT isolate_by_tenant('closed_scopes');
SELECT let_worker_cross_tenants('closed_scopes');

-- Where a document of the memory lay when it was read; null for what is from elsewhere.
ALTER TABLE sources ADD COLUMN vault_id text COLLATE "C";
CREATE INDEX sources_by_vault ON sources (tenant_id, vault_id) WHERE vault_id IS NOT NULL;

-- When the texts that a run had read were given up; what it quotes of them stays.
ALTER TABLE research_runs ADD COLUMN uploads_forgotten_at timestamptz, ADD COLUMN texts_forgotten_at timestamptz,
  -- Characters of the texts that the run has read.
  ADD COLUMN text_chars bigint NOT NULL DEFAULT 0;
CREATE INDEX runs_by_end ON runs (finished_at) WHERE finished_at IS NOT NULL;

CREATE INDEX lists_by_run ON lists (run_id);
CREATE INDEX crawl_hosts_by_turn ON crawl_hosts (next_at);
