import { type Event, EVENT_CONSUMERS } from '@cairn/contracts';
import { consumeEventBatches, consumeEvents, type EventBus } from '@cairn/events';
import type { Running } from '@cairn/service-kit';
import { ingestCalls, type IngestParts } from './calls/ingest-calls.ts';
import { readCall } from './calls/read-call.ts';
import { MICRO } from './credits/account-store.ts';
import { applyTenant } from './tenants/apply-tenant.ts';
import type { TenantRow } from './tenants/tenant-store.ts';

/** Few come at a time unless the service is behind; then more of them share a roll-up's row. */
const BATCH_MAX = 16_000;

/** Takes in calls of models from whoever makes them, and what tenancy says of tenants. */
export async function startEvents(bus: EventBus, parts: IngestParts & { now: () => Date }): Promise<Running[]> {
  const { workerDatabase: database, logger } = parts;
  return [
    await consumeEvents({
      bus,
      database,
      ...EVENT_CONSUMERS.usageTenants,
      logger,
      async handle(tx, event) {
        const tenant = tenantOf(event);
        if (tenant !== null) await applyTenant(tx, tenant, parts.now());
      },
    }),
    await consumeEventBatches({
      bus,
      ...EVENT_CONSUMERS.usageCalls,
      logger,
      batchMax: BATCH_MAX,
      read: readCall,
      handle: (calls) => ingestCalls(parts, calls),
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
