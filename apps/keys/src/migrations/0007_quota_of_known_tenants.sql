-- As 0006_allowances.sql has it, but a tenant that is not known, or no longer, holds nothing and leaves no row: a
-- gateway that still draws for an erased tenant would bring its identifier back.
CREATE OR REPLACE FUNCTION draw_quota(
  tenant text, for_month text, gateway text, number bigint, said_spent bigint, wanted bigint, keep_s double precision
) RETURNS TABLE (held bigint, allowed bigint, remaining bigint) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  mine quota_holds;
  total bigint;
BEGIN
  -- Held until the draw is over, so that the tenant is erased before it or after it.
  SELECT monthly_requests INTO allowed FROM tenants WHERE tenant_id = tenant FOR KEY SHARE;
  IF NOT FOUND THEN
    held := 0;
    allowed := 0;
    remaining := 0;
    RETURN NEXT;
    RETURN;
  END IF;
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
