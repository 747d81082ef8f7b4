import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeJournalEntry, newId } from '@cairn/contracts';
import { readRestoreState } from '@cairn/postgres';
import { eventually, startTestNats, type TestDatabase, type TestNats } from '@cairn/testing';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import type { BrokerSettings } from '../src/broker-credentials.ts';
import { connectEventBus, type EventBus, JOURNAL_STREAM, startRestoreGuard } from '../src/index.ts';
import { journalInfo } from '../src/journal.ts';
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

interface Started {
  oldest: Date | null;
  reapply?: () => Promise<void>;
  natsUrl?: string;
  logger?: Logger;
}
const guard = ({ oldest, reapply = async () => undefined, natsUrl = nats.url, logger = silent }: Started) =>
  startRestoreGuard({
    database: database.worker,
    broker: { natsUrl },
    name: 'spec',
    logger,
    reapply,
    oldestData: async () => oldest,
  });
const stateNow = async () => (await readRestoreState(database.worker)).state;
const execute = (statement: string) => database.worker.transaction((tx) => tx.execute(statement));

/** Starts it, sees that it does not open for the given reason, has the operator accept that, and sees it open. */
async function expectClosedUntilAccepted(oldest: Date | null, reason: string): Promise<void> {
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(chunk.toString());
      done();
    },
  });
  let opened = false;
  const starting = guard({ oldest, logger: pino({ level: 'warn' }, sink) }).then((started) => {
    opened = true;
    return started;
  });
  await eventually(() => logged.join('').includes(reason));
  expect(logged.join('')).toContain('accept-lost');
  expect(opened).toBe(false);
  const { identity } = await readRestoreState(database.worker);
  await execute(
    `INSERT INTO restore_state (database_identity, journal, position, accepted_identity) VALUES ('', '', 0, '${identity}')
     ON CONFLICT (only_row) DO UPDATE SET accepted_identity = excluded.accepted_identity`,
  );
  await (await starting).close();
  expect(await stateNow()).toMatchObject({ databaseIdentity: identity, acceptedIdentity: null });
}

const LONG_AGO = new Date('2001-01-01');

describe('a database that has no record of a journal', () => {
  it('and is on the server that its data were made on was upgraded: every decision is applied, and a start that failed is continued', async () => {
    let applied = 0;
    let failing = true;
    const starting = guard({
      oldest: new Date(),
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

  it('and is on another server was restored, and nothing says whether this journal is complete: it stays closed', async () => {
    await execute('DELETE FROM restore_state');
    await expectClosedUntilAccepted(LONG_AGO, 'does not say which journal it belongs to');
  }, 60_000);

  it('and holds nothing is a new one, which needs no broker', async () => {
    await execute('DELETE FROM restore_state');
    const reapply = () => Promise.reject(new Error('applied'));
    await (await guard({ oldest: null, reapply, natsUrl: 'nats://127.0.0.1:1' })).close();
    expect(await stateNow()).toMatchObject({ journal: '', position: 0 });
  });
});

describe('a database that was restored', () => {
  it('from before it had read a journal, or was marked then, stays closed when it holds anything', async () => {
    await execute(`UPDATE restore_state SET database_identity = 'another/00000001', journal = '', position = 0`);
    await expectClosedUntilAccepted(new Date(), 'does not say which journal it belongs to');
    await execute(`UPDATE restore_state SET database_identity = 'another/00000001', journal = '', position = 0`);
    await (await guard({ oldest: null, natsUrl: 'nats://127.0.0.1:1' })).close();
  }, 60_000);

  it('to before the oldest entry that the journal still holds stays closed, and opens when none is missing', async () => {
    const { journal } = await journalInfo(bus);
    const restoredTo = (position: number) =>
      execute(
        `UPDATE restore_state SET database_identity = 'another/00000001', journal = '${journal}', position = ${position}`,
      );
    // As its age does it.
    await bus.manager.streams.purge(JOURNAL_STREAM, { seq: 101 });
    await restoredTo(100);
    await (await guard({ oldest: LONG_AGO })).close();
    expect(await stateNow()).toMatchObject({ journal, position: ENTRIES });
    await restoredTo(99);
    await expectClosedUntilAccepted(LONG_AGO, 'no longer reaches back');
  }, 60_000);
});

describe('a database that is served before the broker could be reached', () => {
  it('learns which journal it belongs to soon after that', async () => {
    await execute('DELETE FROM restore_state');
    const broker: BrokerSettings = { natsUrl: 'nats://127.0.0.1:1' };
    const started = await startRestoreGuard({
      database: database.worker,
      broker,
      name: 'spec',
      logger: silent,
      reapply: async () => undefined,
      oldestData: async () => null,
    });
    const following = started.follow(async () => undefined);
    await sleep(1_000);
    expect(await stateNow()).toMatchObject({ journal: '' });
    broker.natsUrl = nats.url;
    await eventually(async () => (await stateNow())?.journal !== '');
    await following.close();
    await started.close();
  }, 40_000);
});
