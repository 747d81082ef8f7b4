-- Among how many gateways this one may divide at least what each admits without asking; 0: it takes no part of it.
ALTER TABLE gateway_leases ADD COLUMN sharing int NOT NULL DEFAULT 0;

-- NULL: no bound.
ALTER TABLE tenants ADD COLUMN monthly_requests bigint;

-- What gateways draw a key's requests from, after ITU-T I.371: one number, the time at which all that was drawn will
-- have been earned. Belongs to no tenant, and is forgotten when it is in the past.
CREATE TABLE rate_buckets (
  key_id    text PRIMARY KEY COLLATE "C",
  earned_at double precision NOT NULL
);
CREATE INDEX rate_buckets_by_age ON rate_buckets (earned_at);

-- Gives up to `wanted` requests, and says how many more there are and how long until the next. Rows of a batch are
-- asked for in the order of their keys, so that two batches never wait for each other in a circle.
CREATE FUNCTION draw_rate(key text, per_second double precision, burst double precision, wanted int)
RETURNS TABLE (granted int, remaining int, wait_ms double precision) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  interval_s double precision := 1 / per_second;
  now_s double precision;
  earned double precision;
  fits int;
BEGIN
  INSERT INTO rate_buckets VALUES (key, 0) ON CONFLICT DO NOTHING;
  SELECT earned_at INTO earned FROM rate_buckets WHERE key_id = key FOR UPDATE;
  now_s := extract(epoch FROM clock_timestamp());
  earned := greatest(coalesce(earned, 0), now_s);
  fits := greatest(0, least(floor(burst - (earned - now_s) / interval_s + 1e-6), 2e9)::int);
  granted := greatest(0, least(wanted, fits));
  remaining := fits - granted;
  earned := earned + granted * interval_s;
  wait_ms := greatest(0, (earned + interval_s - now_s) - burst * interval_s) * 1000;
  UPDATE rate_buckets SET earned_at = earned WHERE key_id = key;
  RETURN NEXT;
END $$;

-- Requests of a month that some gateway may admit or has admitted; never more than the plan's limit when they are given.
CREATE TABLE quota_months (
  tenant_id text NOT NULL COLLATE "C",
  month     text NOT NULL COLLATE "C" CHECK (month ~ '^\d{4}-\d\d$'),
  held      bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, month)
);
-- The part of one boot of a gateway. When its time is over it admits nothing any more, but what it admitted last is
-- known only when it, or who finds its notes, says so.
CREATE TABLE quota_holds (
  tenant_id  text NOT NULL COLLATE "C",
  month      text NOT NULL COLLATE "C",
  gateway_id text NOT NULL COLLATE "C",
  held       bigint NOT NULL DEFAULT 0,
  spent      bigint NOT NULL DEFAULT 0,
  sequence   bigint NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, month, gateway_id),
  CHECK (spent <= held)
);
CREATE INDEX quota_holds_by_gateway ON quota_holds (gateway_id);

DO $$
DECLARE quota_table text;
BEGIN
  FOREACH quota_table IN ARRAY ARRAY['quota_months', 'quota_holds'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', quota_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', quota_table);
    EXECUTE format('CREATE POLICY tenant_isolation ON %I USING (tenant_id = current_tenant())', quota_table);
    PERFORM let_worker_cross_tenants(quota_table);
  END LOOP;
  EXECUTE format('REVOKE ALL ON rate_buckets, quota_months, quota_holds FROM %I', current_schema() || '_app');
END $$;

-- Brings a hold to `wanted`, or as near as the plan lets it; what is held is never taken away from outside. A draw
-- that was overtaken by a later one changes nothing.
CREATE FUNCTION draw_quota(
  tenant text, for_month text, gateway text, number bigint, said_spent bigint, wanted bigint, keep_s double precision
) RETURNS TABLE (held bigint, allowed bigint, remaining bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  mine quota_holds;
  total bigint;
BEGIN
  SELECT monthly_requests INTO allowed FROM tenants WHERE tenant_id = tenant;
  IF NOT FOUND THEN allowed := 0; END IF;
  IF allowed IS NULL THEN RETURN NEXT; RETURN; END IF;
  INSERT INTO quota_months (tenant_id, month) VALUES (tenant, for_month) ON CONFLICT DO NOTHING;
  SELECT m.held INTO total FROM quota_months m WHERE tenant_id = tenant AND month = for_month FOR UPDATE;
  INSERT INTO quota_holds (tenant_id, month, gateway_id) VALUES (tenant, for_month, gateway) ON CONFLICT DO NOTHING;
  SELECT * INTO mine FROM quota_holds WHERE tenant_id = tenant AND month = for_month AND gateway_id = gateway;
  IF mine.sequence < number THEN
    held := greatest(mine.spent, said_spent, least(wanted, mine.held + greatest(allowed - total, 0)));
    total := total + held - mine.held;
    UPDATE quota_months SET held = total WHERE tenant_id = tenant AND month = for_month;
    UPDATE quota_holds
       SET held = draw_quota.held, spent = greatest(mine.spent, said_spent), sequence = number,
           expires_at = clock_timestamp() + make_interval(secs => keep_s)
     WHERE tenant_id = tenant AND month = for_month AND gateway_id = gateway;
  ELSE
    held := mine.held;
  END IF;
  remaining := greatest(allowed - total, 0);
  RETURN NEXT;
END $$;
