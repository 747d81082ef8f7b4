-- Memories whose lexical index is OpenSearch: where each one is on its way, and what OpenSearch has still to be sent.

CREATE TABLE index_placements (
  tenant_id text NOT NULL COLLATE "C",
  memory_id text NOT NULL COLLATE "C",
  -- segments: PostgreSQL alone. filling: being copied to OpenSearch, PostgreSQL answers. serving: OpenSearch
  -- answers. leaving: being copied back, OpenSearch answers. Writers lock the row, so that none of them is still
  -- under way in the phase before when a copy begins.
  phase text NOT NULL CHECK (phase IN ('segments', 'filling', 'serving', 'leaving')),
  -- PostgreSQL's segments are kept up to date beside OpenSearch, and answer while it cannot be reached.
  keeps_segments boolean NOT NULL DEFAULT false,
  -- The last chunk copied back, in the phase leaving.
  copied_to text COLLATE "C",
  PRIMARY KEY (tenant_id, memory_id)
);
SELECT isolate_by_tenant('index_placements');
SELECT let_worker_cross_tenants('index_placements');

-- Chunks in which OpenSearch may differ from PostgreSQL. A row goes when OpenSearch has confirmed what the chunk is
-- now, or that it is gone.
CREATE TABLE search_changes (
  tenant_id text NOT NULL COLLATE "C",
  memory_id text NOT NULL COLLATE "C",
  change_no bigint GENERATED ALWAYS AS IDENTITY,
  chunk_id  text NOT NULL COLLATE "C",
  PRIMARY KEY (tenant_id, memory_id, change_no)
);
SELECT isolate_by_tenant('search_changes');
SELECT let_worker_cross_tenants('search_changes');

-- Versions of what is sent to OpenSearch: what was read later has a higher one.
CREATE SEQUENCE search_versions;
