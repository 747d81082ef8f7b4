-- A rate that no limiter can hold failed every draw that it was part of. Rows from before there were bounds are brought
-- within them; the policies bind the owner, too, and this is about the rows of all tenants.
DO $$
DECLARE bounded text;
BEGIN
  FOREACH bounded IN ARRAY ARRAY['api_keys', 'oauth_clients'] LOOP
    EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', bounded);
    EXECUTE format(
      'UPDATE %I SET requests_per_second = least(greatest(requests_per_second, 0.01), 1000000),
                     burst = least(greatest(burst, 1), 1000000)
        WHERE NOT (requests_per_second BETWEEN 0.01 AND 1000000) OR NOT (burst BETWEEN 1 AND 1000000)', bounded);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', bounded);
    EXECUTE format(
      'ALTER TABLE %I ADD CONSTRAINT %I CHECK (requests_per_second BETWEEN 0.01 AND 1000000 AND burst BETWEEN 1 AND 1000000)',
      bounded, bounded || '_rate_bounds');
  END LOOP;
END $$;

-- As 0006_allowances.sql has it, but no rate or burst fails: what is out of bounds counts as the nearest bound. The
-- lower one is that of a key's part that is shared, which is less than the whole.
CREATE OR REPLACE FUNCTION draw_rate(key text, per_second double precision, burst double precision, wanted int)
RETURNS TABLE (granted int, remaining int, wait_ms double precision) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  interval_s double precision := 1 / least(greatest(per_second, 0.001), 1000000);
  size double precision := least(greatest(burst, 1), 1000000);
  now_s double precision;
  earned double precision;
  fits int;
BEGIN
  INSERT INTO rate_buckets VALUES (key, 0) ON CONFLICT DO NOTHING;
  SELECT earned_at INTO earned FROM rate_buckets WHERE key_id = key FOR UPDATE;
  now_s := extract(epoch FROM clock_timestamp());
  earned := greatest(coalesce(earned, 0), now_s);
  -- A bucket from before the bounds may owe more than any rate earns back.
  earned := least(earned, now_s + size * interval_s);
  fits := greatest(0, floor(size - (earned - now_s) / interval_s + 1e-6))::int;
  granted := greatest(0, least(wanted, fits));
  remaining := fits - granted;
  earned := earned + granted * interval_s;
  wait_ms := greatest(0, (earned + interval_s - now_s) - size * interval_s) * 1000;
  UPDATE rate_buckets SET earned_at = earned WHERE key_id = key;
  RETURN NEXT;
END $$;
