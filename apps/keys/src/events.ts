import { create } from '@bufbuild/protobuf';
import { EVENT_CONSUMERS, TenantRefSchema } from '@cairn/contracts';
import { consumeEvents, type EventBus, relayOutbox } from '@cairn/events';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { applyTenant, tenantRowOf } from './narrow/apply-tenant.ts';
import type { Narrow } from './narrow/narrow.ts';

/** Publishes what happened here and follows what tenancy says of tenants. */
export async function startEvents(
  bus: EventBus,
  parts: { narrow: Narrow; workerDatabase: Database; logger: Logger },
): Promise<Running[]> {
  const database = parts.workerDatabase;
  return [
    await relayOutbox({ bus, database, schema: 'keys', logger: parts.logger }),
    await consumeEvents({
      bus,
      database,
      ...EVENT_CONSUMERS.keysTenants,
      logger: parts.logger,
      async handle(_tx, event) {
        if (event.payload.case !== 'tenantChanged') return;
        const { requestsPerSecond, burst, $typeName: _, ...said } = event.payload.value;
        const { tenantId, livemode } = event;
        const rateLimit = { requestsPerSecond, burst };
        const tenant = create(TenantRefSchema, { ...said, tenantId, livemode, rateLimit });
        // In a transaction of its own: narrowing has work to do after its commit, and the revision makes a repeat harmless.
        await applyTenant(parts, tenantRowOf(tenant));
      },
    }),
  ];
}
