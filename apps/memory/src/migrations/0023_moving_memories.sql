-- Memories that move to another engine while they are used.

-- Where a memory is on its way. A row on the source says what may still be done there: `copying` everything, `closing`
-- everything but background work, `gated` only reading until `gate_until`, `left` nothing, for ever: whoever still takes
-- this engine for the memory's is sent on. A row on the target says that it is `arriving` and serves nobody, or `here`.
CREATE TABLE memory_moves (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  move_id    text NOT NULL COLLATE "C",
  phase      text NOT NULL CHECK (phase IN ('copying', 'closing', 'gated', 'left', 'arriving', 'here')),
  gate_until timestamptz,
  -- Rises with every call that works on the move. A call commits only under the epoch that it was given.
  epoch      bigint NOT NULL DEFAULT 0,
  -- The table that is being copied and the last key of it that was.
  position   jsonb NOT NULL DEFAULT '{}',
  since      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, memory_id)
);
SELECT isolate_by_tenant('memory_moves');
SELECT let_worker_cross_tenants('memory_moves');

-- Which rows of a moving memory were changed since its copy began; what they hold is read when they are copied again.
CREATE TABLE memory_changes (
  tenant_id  text NOT NULL COLLATE "C",
  memory_id  text NOT NULL COLLATE "C",
  change_no  bigint GENERATED ALWAYS AS IDENTITY,
  table_name text NOT NULL,
  -- The rest of the row's primary key.
  key        text[] NOT NULL,
  PRIMARY KEY (tenant_id, memory_id, change_no)
);
SELECT isolate_by_tenant('memory_changes');
SELECT let_worker_cross_tenants('memory_changes');

-- Notes a change, unless the gate is closed. Takes the lock that closing takes alone: whoever has changed anything ends
-- before the gate closes, and whoever waited for it sees it closed.
CREATE FUNCTION note_memory_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  tenant text;
  memory text;
  found_phase text;
  row_key text[];
  before_key text[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    tenant := OLD.tenant_id;
    memory := OLD.memory_id;
  ELSE
    tenant := NEW.tenant_id;
    memory := NEW.memory_id;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('memory scope' || chr(1) || tenant || chr(1) || memory, 0));
  -- A statement of its own, which sees what was committed while the lock was waited for.
  SELECT phase INTO found_phase FROM memory_moves
   WHERE tenant_id = tenant AND memory_id = memory
     AND (phase = 'left' OR (phase = 'gated' AND gate_until > clock_timestamp()));
  -- What has left is erased here.
  IF found_phase = 'left' AND TG_OP = 'DELETE' THEN
    RETURN NULL;
  END IF;
  IF found_phase IS NOT NULL THEN
    RAISE EXCEPTION 'the memory % is moving to another engine', memory USING ERRCODE = 'CM001';
  END IF;
  IF TG_OP = 'DELETE' THEN
    EXECUTE format('SELECT ARRAY[%s]::text[]', TG_ARGV[0]) INTO row_key USING OLD;
  ELSE
    EXECUTE format('SELECT ARRAY[%s]::text[]', TG_ARGV[0]) INTO row_key USING NEW;
  END IF;
  INSERT INTO memory_changes (tenant_id, memory_id, table_name, key) VALUES (tenant, memory, TG_TABLE_NAME, row_key);
  IF TG_OP = 'UPDATE' THEN
    EXECUTE format('SELECT ARRAY[%s]::text[]', TG_ARGV[0]) INTO before_key USING OLD;
    IF before_key <> row_key THEN
      INSERT INTO memory_changes (tenant_id, memory_id, table_name, key) VALUES (tenant, memory, TG_TABLE_NAME, before_key);
    END IF;
  END IF;
  RETURN NULL;
END $$;

-- Has the changes of one memory's rows in one table noted, or no longer. Only the owner may make triggers, so this runs
-- as the owner; the triggers note keys and show nobody anything.
CREATE FUNCTION watch_moving_memory(target text, memory text, watched boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  suffix text := substr(md5(memory), 1, 16);
  key_columns text;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
                  WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = target AND c.relkind = 'r'
                    AND a.attname = 'memory_id' AND NOT a.attisdropped)
     OR target IN ('memory_moves', 'memory_changes') THEN
    RAISE EXCEPTION '% is no table of memories', target;
  END IF;
  IF NOT watched THEN
    EXECUTE format('DROP TRIGGER IF EXISTS %I ON %I', 'moving_put_' || suffix, target);
    EXECUTE format('DROP TRIGGER IF EXISTS %I ON %I', 'moving_del_' || suffix, target);
    RETURN;
  END IF;
  SELECT string_agg(format('($1).%I::text', a.attname), ', ' ORDER BY place.n) INTO key_columns
    FROM pg_index i
    CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY AS place (attnum, n)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = place.attnum
   WHERE i.indrelid = target::regclass AND i.indisprimary AND a.attname NOT IN ('tenant_id', 'memory_id');
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER INSERT OR UPDATE ON %I FOR EACH ROW WHEN (NEW.memory_id = %L) EXECUTE FUNCTION note_memory_change(%L)',
    'moving_put_' || suffix, target, memory, coalesce(key_columns, ''));
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER DELETE ON %I FOR EACH ROW WHEN (OLD.memory_id = %L) EXECUTE FUNCTION note_memory_change(%L)',
    'moving_del_' || suffix, target, memory, coalesce(key_columns, ''));
END $$;

-- Numbers of names are an engine's own sequence: beyond those that arrive, so that none is given twice in their memory.
-- The distance covers those that are drawn meanwhile.
CREATE FUNCTION skip_graph_names(arrived bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  numbers regclass := pg_get_serial_sequence('graph_names', 'name_no')::regclass;
  latest bigint;
BEGIN
  EXECUTE format('SELECT last_value FROM %s', numbers) INTO latest;
  IF arrived >= latest AND arrived < 1::bigint << 60 THEN
    PERFORM setval(numbers, arrived + 100000);
  END IF;
END $$;

DO $$ BEGIN
  REVOKE EXECUTE ON FUNCTION watch_moving_memory, skip_graph_names FROM PUBLIC;
  EXECUTE format('GRANT EXECUTE ON FUNCTION watch_moving_memory, skip_graph_names TO %I', current_schema() || '_worker');
END $$;

-- A memory counts where it is served: what arrives, and what is erased of one that has left, is counted as a whole by
-- those who move it.
CREATE OR REPLACE FUNCTION note_storage_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO storage_changes (tenant_id, documents, bytes)
      SELECT tenant_id, count(*), sum(content_bytes + coalesce(original_bytes, 0)) FROM added
       WHERE NOT EXISTS (SELECT 1 FROM memory_moves AS moving WHERE moving.tenant_id = added.tenant_id
                            AND moving.memory_id = added.memory_id AND moving.phase IN ('arriving', 'left'))
       GROUP BY tenant_id;
  ELSE
    INSERT INTO storage_changes (tenant_id, documents, bytes)
      SELECT tenant_id, -count(*), -sum(content_bytes + coalesce(original_bytes, 0)) FROM removed
       WHERE NOT EXISTS (SELECT 1 FROM memory_moves AS moving WHERE moving.tenant_id = removed.tenant_id
                            AND moving.memory_id = removed.memory_id AND moving.phase IN ('arriving', 'left'))
       GROUP BY tenant_id;
  END IF;
  RETURN NULL;
END $$;

-- What arrives brings its vectors, and what still waits for one.
CREATE OR REPLACE FUNCTION queue_for_embedding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM embedding_models) THEN
    INSERT INTO embedding_queue (tenant_id, memory_id, chunk_id)
    SELECT tenant_id, memory_id, chunk_id FROM added
     WHERE NOT EXISTS (SELECT 1 FROM memory_moves AS moving WHERE moving.tenant_id = added.tenant_id
                          AND moving.memory_id = added.memory_id AND moving.phase = 'arriving')
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
