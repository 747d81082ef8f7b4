import { type Event, EVENT_CONSUMERS } from '@cairn/contracts';
import { consumeEventBatches, consumeEvents, type EventBus } from '@cairn/events';
import type { Running } from '@cairn/service-kit';
import { writeAuditRow } from './audit/audit-store.ts';
import { readAuditEvent } from './audit/read-audit-event.ts';
import { ingestCalls, type IngestDeps } from './calls/ingest-calls.ts';
import { readCall } from './calls/read-call.ts';
import { acquireSharedWriteLock } from './stores/write-lock.ts';
import { MICRO } from './stores/account-store.ts';
import { applyTenant } from './tenants/apply-tenant.ts';
import type { TenantRow } from './stores/tenant-store.ts';

/** Batches are small unless the service is behind; then more calls share one update of a roll-up row. */
const BATCH_MAX = 16_000;

/** Consumes model calls and what requests changed from every service, and changes of tenants from tenancy. */
export async function startEvents(bus: EventBus, deps: IngestDeps & { now: () => Date }): Promise<Running[]> {
  const { workerDatabase: database, logger } = deps;
  return [
    await consumeEvents({
      bus,
      database,
      ...EVENT_CONSUMERS.usageTenants,
      logger,
      async handle(tx, event) {
        const tenant = tenantOf(event);
        if (tenant !== null) await applyTenant(tx, tenant, deps.now());
      },
    }),
    await consumeEventBatches({
      bus,
      ...EVENT_CONSUMERS.usageCalls,
      logger,
      batchMax: BATCH_MAX,
      read: readCall,
      handle: (calls) => ingestCalls(deps, calls),
    }),
    await consumeEventBatches({
      bus,
      ...EVENT_CONSUMERS.usageAudit,
      logger,
      read: readAuditEvent,
      handle: (rows) =>
        database.transaction(async (tx) => {
          await acquireSharedWriteLock(tx);
          for (const row of rows) await writeAuditRow(tx, row);
        }),
    }),
  ];
}

function tenantOf(event: Event): TenantRow | null {
  if (event.payload.case !== 'tenantChanged') return null;
  const { plan, status, revision, monthlyCredits } = event.payload.value;
  return {
    tenant_id: event.tenantId,
    livemode: event.livemode,
    plan,
    status,
    revision: Number(revision),
    monthly_micro_credits: monthlyCredits === undefined ? null : Number(monthlyCredits) * MICRO,
  };
}
