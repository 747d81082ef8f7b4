-- The runs of a tenant, newest first.
CREATE INDEX research_runs_by_tenant ON research_runs (tenant_id, run_id);
