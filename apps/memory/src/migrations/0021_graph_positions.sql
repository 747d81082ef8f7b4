-- Where the most central entities stand in the picture of the whole graph; null for the others. Computed with
-- communities and centrality, and kept, so that the picture is the same at the next visit.
ALTER TABLE graph_names
  ADD COLUMN x real,
  ADD COLUMN y real;
CREATE INDEX graph_names_placed ON graph_names (tenant_id, memory_id, centrality DESC) WHERE x IS NOT NULL;
-- Rises when the same graph would give other metrics or positions.
ALTER TABLE graph_memories ADD COLUMN analysis_version int NOT NULL DEFAULT 0;
