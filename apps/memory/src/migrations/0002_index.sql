-- The lexical index: immutable segments, the chunks deleted from them, and who may merge. A segment's row in
-- index_segments is the manifest: what no manifest names does not exist for a search.

-- One row per memory that has an index. Writers and merges share its lock; only dropping the memory takes it
-- for itself.
CREATE TABLE index_memories (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id)
);
SELECT isolate_by_tenant('index_memories');
SELECT let_worker_cross_tenants('index_memories');

-- Who may merge. A memory has two lanes, for small and for large segments, so that a merge of minutes does not
-- let small segments pile up.
CREATE TABLE index_merge_leases (
  tenant_id text NOT NULL COLLATE "C",
  memory_id text NOT NULL COLLATE "C",
  lane      smallint NOT NULL,
  owner     text NOT NULL,
  until     timestamptz NOT NULL,
  -- Rises with every lease. A merge commits only under the epoch it was given.
  epoch     bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, memory_id, lane)
) WITH (fillfactor = 50);
SELECT isolate_by_tenant('index_merge_leases');
SELECT let_worker_cross_tenants('index_merge_leases');

CREATE TABLE index_segments (
  tenant_id        text NOT NULL COLLATE "C",
  memory_id        text NOT NULL COLLATE "C",
  segment_id       uuid NOT NULL,
  chunk_count      int NOT NULL,
  -- Tokens by field, summed over the chunks; the scorer weighs them.
  title_tokens     bigint NOT NULL,
  context_tokens   bigint NOT NULL,
  body_tokens      bigint NOT NULL,
  byte_size        bigint NOT NULL,
  analyser_version int NOT NULL,
  -- Languages and their number of chunks, `en:120,de:7`.
  languages        text NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  -- All streams of a small segment; NULL when they lie in index_pages.
  packed           bytea,
  PRIMARY KEY (tenant_id, memory_id, segment_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500,
        toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 500);
ALTER TABLE index_segments ALTER COLUMN packed SET STORAGE EXTERNAL;
SELECT isolate_by_tenant('index_segments');
SELECT let_worker_cross_tenants('index_segments');

-- The streams of larger segments, cut in pages. Postings are compressed already: EXTERNAL saves the attempt.
CREATE TABLE index_pages (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  segment_id uuid NOT NULL,
  kind       smallint NOT NULL,
  page_no    int NOT NULL,
  data       bytea NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, segment_id, kind, page_no)
);
ALTER TABLE index_pages ALTER COLUMN data SET STORAGE EXTERNAL;
SELECT isolate_by_tenant('index_pages');
SELECT let_worker_cross_tenants('index_pages');

-- Deleted chunks, as ordinals (32 bits, little-endian) of the segment that holds them. A chunk id that is added
-- again lives in another segment, which these rows do not touch. The transaction's id lets a cache that knows
-- what one snapshot saw ask for what it may have missed.
CREATE TABLE index_tombstones (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  xid        xid8 NOT NULL DEFAULT pg_current_xact_id(),
  segment_id uuid NOT NULL,
  ordinals   bytea NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, xid, segment_id)
);
SELECT isolate_by_tenant('index_tombstones');
SELECT let_worker_cross_tenants('index_tombstones');

-- Segments whose pages are to be deleted at `due_at` unless a manifest names them by then: the inputs of
-- merges, and segments that are being written. A killed merge leaves nothing else behind.
CREATE TABLE index_garbage (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  segment_id uuid NOT NULL,
  due_at     timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, segment_id)
);
CREATE INDEX index_garbage_by_due ON index_garbage (due_at);
SELECT isolate_by_tenant('index_garbage');
SELECT let_worker_cross_tenants('index_garbage');
