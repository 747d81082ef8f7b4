-- How promising a page is by its link, for crawls that collect records; its template is the same for pages made alike.
ALTER TABLE frontier ADD COLUMN rank real NOT NULL DEFAULT 0,
  ADD COLUMN template text COLLATE "C",
  ADD COLUMN parent_template text COLLATE "C";

-- What the pages of a template brought, so that those like them are read earlier or not at all.
CREATE TABLE crawl_templates (
  tenant_id     text NOT NULL COLLATE "C",
  run_id        text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  template      text NOT NULL COLLATE "C",
  visits        int NOT NULL DEFAULT 0,
  useful        real NOT NULL DEFAULT 0,
  -- Of the pages that its pages linked.
  child_visits  int NOT NULL DEFAULT 0,
  child_useful  real NOT NULL DEFAULT 0,
  -- Its pages that are about an entity asked for, and about another one.
  matched       int NOT NULL DEFAULT 0,
  others        int NOT NULL DEFAULT 0,
  gain          real NOT NULL,
  PRIMARY KEY (run_id, template)
);
SELECT isolate_by_tenant('crawl_templates');
SELECT let_worker_cross_tenants('crawl_templates');

-- Records that are rows only when more is known: entities that a list names, and those that nothing says the kind of.
CREATE TABLE crawl_records (
  tenant_id     text NOT NULL COLLATE "C",
  run_id        text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  identity_key  text NOT NULL COLLATE "C",
  -- Of the entity's own page.
  template      text COLLATE "C",
  is_listed     boolean NOT NULL,
  name          text NOT NULL,
  cells         jsonb NOT NULL,
  sources       jsonb NOT NULL,
  position      bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (run_id, identity_key)
);
SELECT isolate_by_tenant('crawl_records');
SELECT let_worker_cross_tenants('crawl_records');
