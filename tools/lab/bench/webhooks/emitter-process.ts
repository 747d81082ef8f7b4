import { setTimeout as sleep } from 'node:timers/promises';
import { encodeEvent, newId } from '@cairn/contracts';
import { connectEventBus, relayOutbox } from '@cairn/events';
import { appendToOutbox, createDatabase, type Database } from '@cairn/postgres';
import pino from 'pino';

/** What a service does whose events these are: commits them to its outbox at a rate, and relays them. */
export interface EmitterOptions {
  databaseWorkerUrl: string;
  natsUrl: string;
  tenantIds: string[];
}

export interface Emission {
  /** In a second, over all tenants. */
  eventsPerSecond: number;
  seconds: number;
}

const TICK_MS = 20;
const MEMORY = newId('memory');
const WORKSPACE = newId('workspace');
let turn = 0;
let emitting: ((emission: Emission) => Promise<string[]>) | null = null;

process.on('message', async (message: { start?: EmitterOptions; emit?: Emission }) => {
  if (message.start !== undefined) {
    emitting = await prepare(message.start);
    process.send?.({ ready: true });
  }
  if (message.emit !== undefined) process.send?.({ emitted: await emitting!(message.emit) });
});
process.on('disconnect', () => process.exit(0));

async function prepare({ databaseWorkerUrl, natsUrl, tenantIds }: EmitterOptions) {
  const database = createDatabase({ url: databaseWorkerUrl, applicationName: 'emitter', poolMax: 3 });
  const bus = await connectEventBus({ natsUrl: natsUrl, name: 'emitter' });
  await relayOutbox({ bus, database, schema: 'webhooks', logger: pino({ level: 'silent' }) });
  return async ({ eventsPerSecond, seconds }: Emission) => {
    const committed: string[] = [];
    turn = 0;
    const began = performance.now();
    for (let made = 0; ;) {
      const elapsedMs = performance.now() - began;
      if (elapsedMs > seconds * 1_000) return committed;
      const wanted = Math.floor((elapsedMs / 1_000) * eventsPerSecond) - made;
      made += wanted;
      if (wanted > 0) committed.push(...(await commit(database, tenantIds, wanted)));
      await sleep(TICK_MS);
    }
  };
}

/** One transaction of events; empty when it was not acknowledged. */
async function commit(database: Database, tenantIds: readonly string[], count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => {
    const tenantId = tenantIds[turn++ % tenantIds.length]!;
    const payload = { docId: newId('document'), vaultId: 'vlt_1', title: 'Minutes of the meeting', chunks: 3 };
    return encodeEvent(
      'ingestCompleted',
      { tenantId, livemode: true, workspaceId: WORKSPACE, memoryId: MEMORY },
      payload,
    );
  });
  try {
    await database.transaction(async (tx) => {
      for (const event of events) await appendToOutbox(tx, event);
    });
    return events.map(({ eventId }) => eventId);
  } catch {
    return [];
  }
}
