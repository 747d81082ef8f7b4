import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeJournalEntry, newId } from '@cairn/contracts';
import { readRestoreState } from '@cairn/postgres';
import { startTestNats, type TestDatabase, type TestNats } from '@cairn/testing';
import { connectEventBus, type EventBus, startRestoreGuard } from '../src/index.ts';
import { createEventsDatabase, publishAll, silent } from './event-fixtures.ts';

const ENTRIES = 450;

let nats: TestNats;
let bus: EventBus;
let database: TestDatabase;
beforeAll(async () => {
  [nats, database] = await Promise.all([startTestNats(), createEventsDatabase()]);
  bus = await connectEventBus({ natsUrl: nats.url, name: 'spec' });
  const value = { credentialIds: [newId('key')] };
  const entries = Array.from({ length: ENTRIES }, () =>
    encodeJournalEntry('keys', 'tnt_restored', { case: 'credentialsRevoked', value }),
  );
  await publishAll(bus, entries);
}, 60_000);
afterAll(async () => {
  await bus.close();
  await Promise.all([nats.remove(), database.close()]);
});

const guard = (options: { isEmpty: boolean; reapply: () => Promise<void>; natsUrl?: string }) =>
  startRestoreGuard({
    database: database.worker,
    broker: { natsUrl: options.natsUrl ?? nats.url },
    name: 'spec',
    logger: silent,
    reapply: options.reapply,
    isEmpty: async () => options.isEmpty,
  });
const stateNow = async () => (await readRestoreState(database.worker)).state;

describe('a database that has no record of a journal', () => {
  it('and holds data has every decision applied, and goes on near where a start that failed had come', async () => {
    let applied = 0;
    let failing = true;
    const starting = guard({
      isEmpty: false,
      async reapply() {
        applied += 1;
        if (failing && applied > 430) {
          failing = false;
          throw new Error('given up');
        }
      },
    });
    await (await starting).close();
    // The first attempt came to 430 and had recorded 400; the second read the rest.
    expect(applied).toBe(431 + ENTRIES - 400);
    expect(await stateNow()).toMatchObject({ position: ENTRIES });
    expect((await stateNow())!.databaseIdentity).not.toBe('');
  }, 60_000);

  it('and holds nothing is a new one, which needs no broker', async () => {
    await database.worker.transaction((tx) => tx.execute('DELETE FROM restore_state'));
    const reapply = () => Promise.reject(new Error('applied'));
    const started = await guard({ isEmpty: true, reapply, natsUrl: 'nats://127.0.0.1:1' });
    await started.close();
    expect(await stateNow()).toMatchObject({ journal: '', position: 0 });
  });
});
