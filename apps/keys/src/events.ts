import { subjectOfKind } from '@cairn/contracts';
import { consumeEvents, type EventBus, relayOutbox } from '@cairn/events';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { upsertTenant } from './key-store.ts';

/** Publishes what happened here and follows what tenancy says of tenants. */
export async function startEvents(
  bus: EventBus,
  parts: { workerDatabase: Database; logger: Logger },
): Promise<Running[]> {
  const database = parts.workerDatabase;
  return [
    await relayOutbox({ bus, database, schema: 'keys', logger: parts.logger }),
    await consumeEvents({
      bus,
      database,
      durable: 'keys-tenants',
      subject: subjectOfKind('tenantChanged'),
      logger: parts.logger,
      async handle(tx, event) {
        if (event.payload.case !== 'tenantChanged') return;
        const changed = event.payload.value;
        await upsertTenant(tx, {
          tenant_id: event.tenantId,
          twin_of: changed.twinOf === '' ? null : changed.twinOf,
          livemode: event.livemode,
          plan: changed.plan,
          status: changed.status,
          revision: Number(changed.revision),
          requests_per_second: changed.requestsPerSecond,
          burst: changed.burst,
        });
      },
    }),
  ];
}
