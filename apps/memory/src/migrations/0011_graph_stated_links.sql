-- Searches ask for the links of some hundred names that are more than co-occurrence, which few of all links are.
CREATE INDEX graph_links_stated_by_source ON graph_links (source, tenant_id, memory_id) WHERE type <> 'co_occurs';
CREATE INDEX graph_links_stated_by_target ON graph_links (target, tenant_id, memory_id) WHERE type <> 'co_occurs';
