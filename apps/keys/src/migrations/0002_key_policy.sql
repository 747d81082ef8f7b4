-- A key belongs to the tenant it acts in or to its live tenant, and never to anybody else: without this the
-- serving role could write a key that acts in a foreign tenant and calls itself the administrator.
DROP POLICY tenant_isolation ON api_keys;
CREATE POLICY tenant_isolation ON api_keys
  USING (tenant_id = current_tenant() OR owner_tenant_id = current_tenant())
  WITH CHECK (
    (tenant_id = current_tenant() AND owner_tenant_id = current_tenant())
    OR (owner_tenant_id = current_tenant()
        AND EXISTS (SELECT FROM tenants twin WHERE twin.tenant_id = api_keys.tenant_id AND twin.twin_of = current_tenant()))
    OR (tenant_id = current_tenant()
        AND EXISTS (SELECT FROM tenants own WHERE own.tenant_id = current_tenant() AND own.twin_of = api_keys.owner_tenant_id))
  );
