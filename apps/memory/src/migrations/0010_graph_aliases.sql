-- Alias statements are few among the links of a name; a well-known name has thousands of the others.
CREATE INDEX graph_links_alias_by_source ON graph_links (source, tenant_id) WHERE type = 'alias_of';
CREATE INDEX graph_links_alias_by_target ON graph_links (target, tenant_id) WHERE type = 'alias_of';
