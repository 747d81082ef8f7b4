-- The newest statements of a relation are read without the others. Numbers of names are unique in the database, so that
-- no tenant is needed to find them.
DROP INDEX graph_facts_by_subject;
CREATE INDEX graph_facts_by_subject ON graph_facts (subject_no, relation, fact_id);
