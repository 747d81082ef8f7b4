-- What a search cluster may do behind our back: be replaced by an empty one, carry out a request late, or know versions
-- from before PostgreSQL was restored.

-- The cluster's index as it was last seen, one row or none. Another one has lost what memories had in it; null: it is
-- about to be created again.
CREATE TABLE search_cluster_index (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  index_uuid text
);
-- What is in a cluster already is in an index that nobody looked at.
INSERT INTO search_cluster_index (index_uuid)
SELECT 'unknown' WHERE EXISTS (SELECT FROM index_placements WHERE phase <> 'segments');

ALTER TABLE index_placements
  -- The cluster answers nothing until everything was copied there again, or back.
  ADD COLUMN is_lost boolean NOT NULL DEFAULT false,
  -- The last change of documents that were completed while the cluster was away: until it is sent, segments answer.
  ADD COLUMN behind_to bigint;

-- Requests to the cluster that may still be carried out, by memory: what is erased waits for their end.
CREATE TABLE index_sends (
  tenant_id text NOT NULL COLLATE "C",
  memory_id text NOT NULL COLLATE "C",
  send_no   bigint GENERATED ALWAYS AS IDENTITY,
  since     timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When it is over even if nobody heard its end.
  ends_by   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, send_no)
);
SELECT isolate_by_tenant('index_sends');
SELECT let_worker_cross_tenants('index_sends');

-- Versions of what is sent to OpenSearch are milliseconds since 1970, and rise even when several are drawn in one: the
-- cluster keeps the versions it was sent, and those of a server that was restored to an earlier time, or of another
-- server that sends the same memory, must not be below them.
CREATE FUNCTION next_search_version() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  -- Alone from drawing to setting, so that none is given twice.
  PERFORM pg_advisory_xact_lock(hashtextextended('search versions', 0));
  RETURN setval('search_versions',
    greatest(nextval('search_versions'), (extract(epoch FROM clock_timestamp()) * 1000)::bigint));
END $$;

-- Two memories that arrive at once draw above each other's numbers.
CREATE OR REPLACE FUNCTION skip_graph_names(arrived bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  numbers regclass := pg_get_serial_sequence('graph_names', 'name_no')::regclass;
  latest bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('graph name numbers', 0));
  EXECUTE format('SELECT last_value FROM %s', numbers) INTO latest;
  IF arrived >= latest AND arrived < 1::bigint << 60 THEN
    PERFORM setval(numbers, arrived + 100000);
  END IF;
END $$;

DO $$ BEGIN
  REVOKE EXECUTE ON FUNCTION next_search_version FROM PUBLIC;
  EXECUTE format('GRANT EXECUTE ON FUNCTION next_search_version TO %I, %I', current_schema() || '_app', current_schema() || '_worker');
END $$;
