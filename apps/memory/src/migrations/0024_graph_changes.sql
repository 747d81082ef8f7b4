-- Which names each of the last changes of a memory's graph touched, so that a graph kept in memory follows a change
-- without being read again.
CREATE TABLE graph_changes (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  revision   bigint NOT NULL,
  changed_at timestamptz NOT NULL,
  names      bigint[] NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, revision)
);
SELECT isolate_by_tenant('graph_changes');
