-- The background role may put the rows of a month that is over in order.
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent IN ('llm_calls'::regclass, 'llm_rollups'::regclass) LOOP
    EXECUTE format('GRANT MAINTAIN ON %s TO %I', part, current_schema() || '_worker');
  END LOOP;
END $$;

-- Makes the partitions of a month; the background role has no other way to, because the tables are not its own.
-- Attached instead of created in place, so that reading and writing go on beside it.
CREATE OR REPLACE FUNCTION make_usage_month(month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  begins date := date_trunc('month', month);
  ends date := begins + interval '1 month';
  parent text;
  part text;
BEGIN
  IF begins < '2020-01-01' OR begins > '2100-01-01' THEN
    RAISE EXCEPTION 'no month of usage: %', month;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('cairn:usage:months', 0));
  IF to_regclass(to_char(begins, '"llm_rollups_"YYYY_MM')) IS NOT NULL THEN
    RETURN false;
  END IF;
  FOREACH parent IN ARRAY ARRAY['llm_calls', 'llm_rollups'] LOOP
    part := parent || to_char(begins, '"_"YYYY_MM');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', part, parent);
    -- Every batch writes the rows of today again: room on the page keeps them off the index.
    IF parent = 'llm_rollups' THEN
      EXECUTE format('ALTER TABLE %I SET (fillfactor = 70)', part);
    END IF;
    PERFORM isolate_by_tenant(part::regclass);
    PERFORM let_worker_cross_tenants(part::regclass);
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %I FROM %I', part, current_schema() || '_app');
    EXECUTE format('GRANT MAINTAIN ON %I TO %I', part, current_schema() || '_worker');
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, part, begins, ends);
  END LOOP;
  RETURN true;
END $$;
