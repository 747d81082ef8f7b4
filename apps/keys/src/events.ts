import { create } from '@bufbuild/protobuf';
import { EVENT_CONSUMERS, TenantRefSchema } from '@cairn/contracts';
import { consumeEvents, type EventBus, relayOutbox } from '@cairn/events';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { applyTenant, tenantRowOf } from './invalidation/apply-tenant.ts';
import type { Invalidate } from './invalidation/invalidate.ts';

/** Publishes the events of this service and consumes those about tenants. */
export async function startEvents(
  bus: EventBus,
  deps: { invalidate: Invalidate; workerDatabase: Database; logger: Logger },
): Promise<Running[]> {
  const database = deps.workerDatabase;
  return [
    await relayOutbox({ bus, database, schema: 'keys', logger: deps.logger }),
    await consumeEvents({
      bus,
      database,
      ...EVENT_CONSUMERS.keysTenants,
      logger: deps.logger,
      async handle(_tx, event) {
        if (event.payload.case !== 'tenantChanged') return;
        const { requestsPerSecond, burst, $typeName: _, ...fields } = event.payload.value;
        const { tenantId, livemode } = event;
        const rateLimit = { requestsPerSecond, burst };
        const tenant = create(TenantRefSchema, { ...fields, tenantId, livemode, rateLimit });
        // In a transaction of its own: an invalidation has a barrier after its commit, and the revision makes a repeat
        // harmless.
        await applyTenant(deps, tenantRowOf(tenant));
      },
    }),
  ];
}
