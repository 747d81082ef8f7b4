-- Evidence names a source and no run.
CREATE INDEX sources_by_id ON sources (tenant_id, source_id);
