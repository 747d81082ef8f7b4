-- What every service's schema starts with: the tenant of a transaction, the outbox, the inbox and the
-- idempotency keys.

-- The tenant that withTenant() set, or NULL. A policy that compares with NULL shows nothing.
CREATE FUNCTION current_tenant() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT nullif(current_setting('cairn.tenant_id', true), '') $$;

-- Gives a table the one policy of tenant tables: app sees and writes its tenant's rows, nobody else's.
CREATE FUNCTION isolate_by_tenant(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY tenant_isolation ON %s USING (tenant_id = current_tenant()) WITH CHECK (tenant_id = current_tenant())', target);
END $$;

-- Lets the service's background role work on a tenant table across tenants. Said table by table.
CREATE FUNCTION let_worker_cross_tenants(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE POLICY worker_crosses_tenants ON %s TO %I USING (true) WITH CHECK (true)',
    target, current_schema() || '_worker');
END $$;

CREATE TABLE outbox (
  position    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id   text NOT NULL COLLATE "C",
  event_id    text NOT NULL UNIQUE COLLATE "C",
  subject     text NOT NULL,
  payload     bytea NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);
SELECT isolate_by_tenant('outbox');
SELECT let_worker_cross_tenants('outbox');

CREATE TABLE inbox (
  consumer    text NOT NULL,
  event_id    text NOT NULL COLLATE "C",
  handled_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_by_age ON inbox (handled_at);

CREATE TABLE idempotency_keys (
  tenant_id    text NOT NULL COLLATE "C",
  operation    text NOT NULL,
  key          text NOT NULL COLLATE "C",
  body_sha256  bytea NOT NULL,
  status       int NOT NULL,
  answer       jsonb NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, operation, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
SELECT isolate_by_tenant('idempotency_keys');
SELECT let_worker_cross_tenants('idempotency_keys');
