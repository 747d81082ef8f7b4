-- Where this database stands in the journal of decisions, which lies outside of it. A database whose identity is not
-- the recorded one was restored or failed over, and must be told what was decided since.
CREATE TABLE restore_state (
  only_row          boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  database_identity text NOT NULL,
  -- Which journal; empty until one was read.
  journal           text NOT NULL,
  position          bigint NOT NULL,
  -- The identity for which the operator gave up what a lost journal held.
  accepted_identity text
);
DO $$ BEGIN
  EXECUTE format('REVOKE ALL ON restore_state FROM %I', current_schema() || '_app');
END $$;
