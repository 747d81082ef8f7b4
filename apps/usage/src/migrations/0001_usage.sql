-- What usage must know of a tenant. Kept up to date by tenancy's events; a higher revision wins.
CREATE TABLE tenants (
  tenant_id             text PRIMARY KEY COLLATE "C",
  livemode              boolean NOT NULL,
  plan                  text NOT NULL,
  status                text NOT NULL,
  revision              bigint NOT NULL,
  -- NULL: tenancy has not said.
  monthly_micro_credits bigint CHECK (monthly_micro_credits >= 0)
);
SELECT isolate_by_tenant('tenants');
SELECT let_worker_cross_tenants('tenants');

-- Tenants that are being erased or were: nothing is written about them any more.
CREATE TABLE closed_tenants (
  tenant_id text PRIMARY KEY COLLATE "C",
  closed_at timestamptz NOT NULL DEFAULT now()
);
SELECT isolate_by_tenant('closed_tenants');
SELECT let_worker_cross_tenants('closed_tenants');

-- What a version of the price book said when it was first used, so that it always says that. Belongs to no tenant.
CREATE TABLE price_versions (
  version       text PRIMARY KEY,
  sha256        bytea NOT NULL CHECK (octet_length(sha256) = 32),
  first_read_at timestamptz NOT NULL DEFAULT now()
);

-- Every call of a model, once.
CREATE TABLE llm_calls (
  tenant_id           text NOT NULL COLLATE "C",
  event_id            text NOT NULL COLLATE "C",
  -- The UTC day within the event id, so that a repeat meets the row it repeats, whatever else it says.
  minted_on           date NOT NULL,
  occurred_at         timestamptz NOT NULL,
  livemode            boolean NOT NULL,
  workspace_id        text,
  memory_id           text,
  space_id            text,
  conversation_id     text,
  user_id             text,
  api_key_id          text,
  provider            text NOT NULL,
  model               text NOT NULL,
  byok                boolean NOT NULL,
  input_tokens        bigint NOT NULL CHECK (input_tokens >= 0),
  output_tokens       bigint NOT NULL CHECK (output_tokens >= 0),
  cached_input_tokens bigint NOT NULL CHECK (cached_input_tokens >= 0),
  cache_write_tokens  bigint NOT NULL CHECK (cache_write_tokens >= 0),
  reasoning_tokens    bigint NOT NULL CHECK (reasoning_tokens >= 0),
  -- NULL: the model has no price. Never 0 for that.
  cost_nano_usd       bigint CHECK (cost_nano_usd >= 0),
  micro_credits       bigint NOT NULL CHECK (micro_credits >= 0),
  price_version       text,
  -- The run whose charge covers the call.
  run_id              text,
  purpose             text,
  streamed            boolean NOT NULL,
  raw_usage           text,
  PRIMARY KEY (tenant_id, event_id, minted_on),
  CONSTRAINT parts_within_input CHECK (cached_input_tokens + cache_write_tokens <= input_tokens),
  CONSTRAINT reasoning_within_output CHECK (reasoning_tokens <= output_tokens),
  CONSTRAINT priced_by_a_version CHECK ((cost_nano_usd IS NULL) = (price_version IS NULL)),
  CONSTRAINT own_key_is_never_charged CHECK (NOT byok OR micro_credits = 0),
  CONSTRAINT twin_is_never_charged CHECK (livemode OR micro_credits = 0),
  CONSTRAINT unpriced_is_not_charged CHECK (cost_nano_usd IS NOT NULL OR micro_credits = 0),
  CONSTRAINT covered_by_its_run CHECK (run_id IS NULL OR micro_credits = 0)
) PARTITION BY RANGE (minted_on);
CREATE INDEX llm_calls_unpriced ON llm_calls (provider, model) WHERE cost_nano_usd IS NULL;
-- Calls come in about the order of their time, so a few bytes per page find those of a day.
CREATE INDEX llm_calls_by_time ON llm_calls USING brin (occurred_at);
SELECT isolate_by_tenant('llm_calls');
SELECT let_worker_cross_tenants('llm_calls');

-- What the calls of a day add up to. An empty id covers all ids of the dimension.
CREATE TABLE llm_rollups (
  tenant_id           text NOT NULL COLLATE "C",
  dimension           text NOT NULL COLLATE "C"
    CHECK (dimension IN ('tenant', 'workspace', 'memory', 'space', 'conversation', 'user', 'api_key')),
  id                  text NOT NULL COLLATE "C",
  -- UTC.
  day                 date NOT NULL,
  model               text NOT NULL COLLATE "C",
  calls               bigint NOT NULL,
  unpriced_calls      bigint NOT NULL,
  input_tokens        bigint NOT NULL,
  output_tokens       bigint NOT NULL,
  cached_input_tokens bigint NOT NULL,
  reasoning_tokens    bigint NOT NULL,
  byok_tokens         bigint NOT NULL,
  cost_nano_usd       bigint NOT NULL,
  micro_credits       bigint NOT NULL,
  PRIMARY KEY (tenant_id, dimension, id, day, model)
) PARTITION BY RANGE (day);
SELECT isolate_by_tenant('llm_rollups');
SELECT let_worker_cross_tenants('llm_rollups');

-- Nights on which the roll-ups were compared with the calls, so that one replica does it. Belongs to no tenant.
CREATE TABLE rollup_checks (
  night          date PRIMARY KEY,
  begun_at       timestamptz NOT NULL DEFAULT now(),
  -- NULL: not ended.
  differing_rows bigint
);

-- Makes the partitions of a month; the background role has no other way to, because the tables are not its own.
-- Attached instead of created in place, so that reading and writing go on beside it.
CREATE FUNCTION make_usage_month(month date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, part, begins, ends);
  END LOOP;
  RETURN true;
END $$;
DO $$ BEGIN
  REVOKE EXECUTE ON FUNCTION make_usage_month FROM PUBLIC;
  EXECUTE format('GRANT EXECUTE ON FUNCTION make_usage_month TO %I', current_schema() || '_worker');
END $$;

-- What a tenant may spend in a month, and what of it is taken. What is left at its end is not carried over.
CREATE TABLE credit_accounts (
  tenant_id text NOT NULL COLLATE "C",
  month     date NOT NULL,
  granted   bigint NOT NULL CHECK (granted >= 0),
  reserved  bigint NOT NULL CHECK (reserved >= 0),
  settled   bigint NOT NULL CHECK (settled >= 0),
  -- Calls of models, which are counted after they happened and may go below what is left.
  llm       bigint NOT NULL CHECK (llm >= 0),
  PRIMARY KEY (tenant_id, month),
  CONSTRAINT charged_within_granted CHECK (reserved + settled <= granted)
) WITH (fillfactor = 50);
SELECT isolate_by_tenant('credit_accounts');
SELECT let_worker_cross_tenants('credit_accounts');

-- Why an account was granted what it was.
CREATE TABLE credit_grants (
  tenant_id     text NOT NULL COLLATE "C",
  month         date NOT NULL,
  grant_id      bigint GENERATED ALWAYS AS IDENTITY,
  plan          text NOT NULL,
  micro_credits bigint NOT NULL CHECK (micro_credits > 0),
  granted_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, month, grant_id)
);
SELECT isolate_by_tenant('credit_grants');
SELECT let_worker_cross_tenants('credit_grants');

-- What runs cost. One row a run, whatever is repeated.
CREATE TABLE charges (
  tenant_id     text NOT NULL COLLATE "C",
  run_id        text NOT NULL COLLATE "C",
  charge        text NOT NULL CHECK (charge IN ('list.build', 'research.run')),
  month         date NOT NULL,
  livemode      boolean NOT NULL,
  micro_credits bigint NOT NULL CHECK (micro_credits >= 0),
  price_version text NOT NULL,
  service_id    text,
  state         text NOT NULL DEFAULT 'reserved' CHECK (state IN ('reserved', 'settled', 'released')),
  reserved_at   timestamptz NOT NULL DEFAULT now(),
  -- A reservation that nobody ends goes back then: the run that made it was never written down.
  expires_at    timestamptz NOT NULL,
  ended_at      timestamptz,
  PRIMARY KEY (tenant_id, run_id),
  CONSTRAINT twin_is_never_charged CHECK (livemode OR micro_credits = 0),
  CONSTRAINT ended_when_not_reserved CHECK ((state = 'reserved') = (ended_at IS NULL))
);
CREATE INDEX charges_due ON charges (expires_at) WHERE state = 'reserved';
CREATE INDEX charges_newest ON charges (tenant_id, month, reserved_at);
SELECT isolate_by_tenant('charges');
SELECT let_worker_cross_tenants('charges');

-- Requests only read.
DO $$ BEGIN
  EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON tenants, closed_tenants, price_versions, llm_calls, llm_rollups, rollup_checks,
    credit_accounts, credit_grants, charges FROM %I', current_schema() || '_app');
END $$;
