ALTER TABLE webhooks
  -- Since when deliveries have ended as dead letters and none was accepted.
  ADD COLUMN failing_since            timestamptz,
  ADD COLUMN consecutive_dead_letters int NOT NULL DEFAULT 0,
  -- When its endpoint accepted a delivery for the first time.
  ADD COLUMN first_accepted_at        timestamptz,
  ADD COLUMN inactive_since           timestamptz,
  ADD COLUMN inactive_reason          text CHECK (inactive_reason IN ('switched_off', 'endpoint_failing'));
-- Forced row-level security would show its owner no row.
ALTER TABLE webhooks NO FORCE ROW LEVEL SECURITY;
ALTER TABLE deliveries NO FORCE ROW LEVEL SECURITY;
UPDATE webhooks SET inactive_since = updated_at, inactive_reason = 'switched_off' WHERE NOT active;
UPDATE webhooks w SET first_accepted_at = w.created_at
 WHERE EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.webhook_id AND d.state = 'delivered');
ALTER TABLE webhooks FORCE ROW LEVEL SECURITY;
ALTER TABLE deliveries FORCE ROW LEVEL SECURITY;

-- Events that were accepted and whose deliveries are not written yet: a flood of one tenant is spread into the queue in
-- turns with everybody else's.
CREATE TABLE pending_fan_outs (
  tenant_id    text NOT NULL COLLATE "C",
  event_id     text PRIMARY KEY COLLATE "C",
  webhook_ids  text[] NOT NULL
);
CREATE INDEX pending_fan_outs_by_tenant ON pending_fan_outs (tenant_id, event_id);
SELECT isolate_by_tenant('pending_fan_outs');
SELECT let_worker_cross_tenants('pending_fan_outs');
