-- Until when the deferred events of a tenant that is behind wait; all replicas keep to it.
CREATE TABLE fan_out_pauses (
  tenant_id     text PRIMARY KEY COLLATE "C",
  paused_until  timestamptz NOT NULL
);
SELECT isolate_by_tenant('fan_out_pauses');
SELECT let_worker_cross_tenants('fan_out_pauses');
