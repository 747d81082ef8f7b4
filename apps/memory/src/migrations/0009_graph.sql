-- Before statistics are gathered, about a minute after a first import, PostgreSQL takes each index that begins with
-- tenant and memory for as good as another and reads a whole memory by the wrong one. Here only primary keys begin so;
-- the other indexes begin with what is looked for, and those who look by them keep the memory out of the index
-- conditions (`memory_id IS NOT DISTINCT FROM`); the tenant is row-level security's.

-- The knowledge graph. Its smallest unit is what one chunk says; everything else is a sum over chunks, so that taking
-- a document out leaves the graph that would have been built without it.

-- One row per memory that has a graph. Whoever changes the graph of a memory holds this row.
CREATE TABLE graph_memories (
  tenant_id         text NOT NULL COLLATE "C",
  memory_id         text NOT NULL COLLATE "C",
  workspace_id      text NOT NULL COLLATE "C",
  livemode          boolean NOT NULL,
  -- Rises with every change of names or links.
  revision          bigint NOT NULL DEFAULT 0,
  changed_at        timestamptz NOT NULL DEFAULT now(),
  -- What communities and centrality were computed of.
  analysed_revision bigint NOT NULL DEFAULT 0,
  analysed_at       timestamptz,
  assessed_revision bigint NOT NULL DEFAULT 0,
  assessed_at       timestamptz,
  health_score      double precision,
  lease_owner       text,
  lease_until       timestamptz,
  PRIMARY KEY (tenant_id, memory_id)
) WITH (fillfactor = 50);
SELECT isolate_by_tenant('graph_memories');
SELECT let_worker_cross_tenants('graph_memories');

-- What an entity is called: a normal form, of a class that tells homonyms apart, in a sense that a person told apart.
-- Names with the same entity_id are one entity.
CREATE TABLE graph_names (
  tenant_id    text NOT NULL COLLATE "C",
  memory_id    text NOT NULL COLLATE "C",
  name_no      bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  norm         text NOT NULL COLLATE "C",
  class        text NOT NULL COLLATE "C",
  sense        text NOT NULL DEFAULT '' COLLATE "C",
  entity_id    text NOT NULL COLLATE "C",
  -- Two ways to find names that are spelled alike; NULL for those that are never compared.
  key_a        text COLLATE "C",
  key_b        text COLLATE "C",
  chunks       int NOT NULL DEFAULT 0,
  documents    int NOT NULL DEFAULT 0,
  -- Spellings and how often each occurs.
  forms        jsonb NOT NULL DEFAULT '{}',
  community_id int NOT NULL DEFAULT 0,
  centrality   double precision NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, name_no)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX graph_names_by_norm ON graph_names (norm, tenant_id, memory_id, class, sense);
CREATE INDEX graph_names_by_entity ON graph_names (entity_id, tenant_id);
CREATE INDEX graph_names_by_key_a ON graph_names (key_a, tenant_id) WHERE key_a IS NOT NULL;
CREATE INDEX graph_names_by_key_b ON graph_names (key_b, tenant_id) WHERE key_b IS NOT NULL;
SELECT isolate_by_tenant('graph_names');

-- What one chunk adds to the sums: names by number, and links between them by their place in `names`.
CREATE TABLE graph_chunks (
  tenant_id   text NOT NULL COLLATE "C",
  memory_id   text NOT NULL COLLATE "C",
  doc_id      text NOT NULL COLLATE "C",
  chunk_id    text NOT NULL COLLATE "C",
  vault_id    text NOT NULL COLLATE "C",
  read_sha256 bytea NOT NULL,
  names       bigint[] NOT NULL,
  surfaces    text[] NOT NULL,
  counts      int[] NOT NULL,
  links       jsonb NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, doc_id, chunk_id)
);
SELECT isolate_by_tenant('graph_chunks');

-- Where a name occurs.
CREATE TABLE graph_mentions (
  tenant_id text NOT NULL COLLATE "C",
  memory_id text NOT NULL COLLATE "C",
  name_no   bigint NOT NULL,
  vault_id  text NOT NULL COLLATE "C",
  doc_id    text NOT NULL COLLATE "C",
  chunk_id  text NOT NULL COLLATE "C",
  PRIMARY KEY (tenant_id, memory_id, name_no, vault_id, doc_id, chunk_id)
);
SELECT isolate_by_tenant('graph_mentions');

-- Links between names, summed over the chunks of a vault; weight in hundredths.
CREATE TABLE graph_links (
  tenant_id text NOT NULL COLLATE "C",
  memory_id text NOT NULL COLLATE "C",
  source    bigint NOT NULL,
  target    bigint NOT NULL,
  type      text NOT NULL COLLATE "C",
  vault_id  text NOT NULL COLLATE "C",
  weight    bigint NOT NULL,
  PRIMARY KEY (source, target, type, vault_id, tenant_id, memory_id)
) WITH (fillfactor = 90);
CREATE INDEX graph_links_by_target ON graph_links (tenant_id, memory_id, target, source);
SELECT isolate_by_tenant('graph_links');

-- Statements with where they stand.
CREATE TABLE graph_facts (
  tenant_id     text NOT NULL COLLATE "C",
  memory_id     text NOT NULL COLLATE "C",
  fact_id       text NOT NULL COLLATE "C",
  doc_id        text NOT NULL COLLATE "C",
  chunk_id      text NOT NULL COLLATE "C",
  vault_id      text NOT NULL COLLATE "C",
  subject_no    bigint NOT NULL,
  relation      text NOT NULL COLLATE "C",
  object_no     bigint,
  value_text    text NOT NULL,
  value         jsonb NOT NULL,
  negated       boolean NOT NULL,
  confidence    double precision NOT NULL,
  quote         text NOT NULL,
  quote_start   int NOT NULL,
  quote_end     int NOT NULL,
  valid_from    timestamptz,
  valid_to      timestamptz,
  -- The time of its document, when its document has one.
  observed_at   timestamptz,
  superseded_by text COLLATE "C",
  created_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, fact_id)
);
CREATE INDEX graph_facts_by_subject ON graph_facts (subject_no, relation, tenant_id);
CREATE INDEX graph_facts_by_object ON graph_facts (object_no, tenant_id) WHERE object_no IS NOT NULL;
CREATE INDEX graph_facts_by_chunk ON graph_facts (doc_id, chunk_id, tenant_id);
SELECT isolate_by_tenant('graph_facts');

CREATE TABLE graph_contradictions (
  tenant_id        text NOT NULL COLLATE "C",
  memory_id        text NOT NULL COLLATE "C",
  contradiction_id text NOT NULL COLLATE "C",
  entity_id        text NOT NULL COLLATE "C",
  relation         text NOT NULL COLLATE "C",
  status           text NOT NULL CHECK (status IN ('open', 'resolved')),
  score            double precision NOT NULL,
  fact_ids         text[] NOT NULL,
  -- Resolved: `both`, or the fact that held when it was decided, and all values that were known then.
  winner           text COLLATE "C",
  decided          jsonb,
  note             text,
  resolved_by      text,
  resolved_at      timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, contradiction_id)
);
CREATE UNIQUE INDEX graph_contradictions_by_entity ON graph_contradictions (entity_id, relation, tenant_id, memory_id);
SELECT isolate_by_tenant('graph_contradictions');

-- Pairs of names that may mean one entity.
CREATE TABLE graph_reviews (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  review_id  text NOT NULL COLLATE "C",
  name_a     bigint NOT NULL,
  name_b     bigint NOT NULL,
  similarity double precision NOT NULL,
  decision   text CHECK (decision IN ('same', 'different')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, review_id)
);
CREATE UNIQUE INDEX graph_reviews_by_pair ON graph_reviews (name_a, name_b, tenant_id, memory_id);
CREATE INDEX graph_reviews_by_second ON graph_reviews (name_b, tenant_id);
SELECT isolate_by_tenant('graph_reviews');

-- What persons decided about identity. `names` are keys (`class norm sense`), so that a decision outlives the numbers.
CREATE TABLE graph_decisions (
  tenant_id   text NOT NULL COLLATE "C",
  memory_id   text NOT NULL COLLATE "C",
  decision_id text NOT NULL COLLATE "C",
  kind        text NOT NULL CHECK (kind IN ('merge', 'split', 'different')),
  names       text[] NOT NULL,
  -- A split of what these documents mean.
  doc_ids     text[] NOT NULL DEFAULT '{}',
  decided_by  text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id, decision_id)
);
SELECT isolate_by_tenant('graph_decisions');
