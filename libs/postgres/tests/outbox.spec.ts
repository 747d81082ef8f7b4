import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CairnError } from '@cairn/errors';
import { eventually, type TestDatabase } from '@cairn/testing';
import { appendToOutbox, type OutboxMessage, startOutboxRelay, type Tx } from '../src/index.ts';
import { ALICE, asSuperuser, BOB, createNotesDatabase, terminate } from './notes-schema.ts';

type Publish = (message: OutboxMessage) => Promise<void>;

let database: TestDatabase;
let published: string[];
let errors: unknown[];
let relays: { close(): Promise<void> }[];

beforeEach(async () => {
  database = await createNotesDatabase();
  published = [];
  errors = [];
  relays = [];
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.close()));
  await database.close();
});

const record: Publish = async (message) => {
  published.push(message.subject);
};

async function startRelay(publish: Publish, brokerStableMs?: number): Promise<{ close(): Promise<void> }> {
  const relay = await startOutboxRelay({
    database: database.worker,
    schema: 'notes',
    publish,
    onError: (error) => errors.push(error),
    ...(brokerStableMs === undefined ? {} : { brokerStableMs }),
  });
  relays.push(relay);
  return relay;
}

const append = (tx: Tx, tenantId: string, subject: string) =>
  appendToOutbox(tx, { tenantId, eventId: randomUUID(), subject, payload: Buffer.from(subject) });

/** Events `from … from + count - 1`, one transaction each ten. */
async function appendMany(count: number, from = 0): Promise<string[]> {
  const subjects = Array.from({ length: count }, (_, n) => `e.${String(from + n).padStart(5, '0')}`);
  for (let start = 0; start < count; start += 10) {
    await database.app.withTenant(ALICE, async (tx) => {
      for (const subject of subjects.slice(start, start + 10)) await append(tx, ALICE, subject);
    });
  }
  return subjects;
}

async function waiting(): Promise<number> {
  const rows = await asSuperuser<{ n: number }>(database, 'SELECT count(*)::int AS n FROM notes.outbox');
  return rows[0]!.n;
}

const drained = () => eventually(waiting, (left) => left === 0);

describe('the outbox', () => {
  it('holds an event only when the transaction that made it true commits', async () => {
    const failed = database.app.withTenant(ALICE, async (tx) => {
      await append(tx, ALICE, 'e.never');
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    expect(await waiting()).toBe(0);
  });

  it('takes no event in another tenant’s name', async () => {
    const forged = database.app.withTenant(ALICE, (tx) => append(tx, BOB, 'e.forged'));
    await expect(forged).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the relay', () => {
  it('publishes every event in the order of its position, over several batches, and empties the outbox', async () => {
    const subjects = await appendMany(450);
    // A changed row lies behind the others on disk, so that their order there is not that of their positions.
    await asSuperuser(database, 'UPDATE notes.outbox SET created_at = now() WHERE position % 3 = 0');
    await startRelay(record);
    await drained();
    expect(published).toEqual(subjects);
    expect(errors).toEqual([]);
  });

  it('publishes what each tenant wrote, byte for byte, under its event id', async () => {
    const message = { tenantId: BOB, eventId: 'evt_1', subject: 'e.bytes', payload: Buffer.from([0, 255, 10, 0]) };
    await database.app.withTenant(BOB, (tx) => appendToOutbox(tx, message));
    const seen: OutboxMessage[] = [];
    await startRelay(async (received) => {
      seen.push(received);
    });
    await drained();
    expect(seen).toEqual([message]);
  });

  it('is woken by a commit and does not wait for its next poll', async () => {
    const delays: number[] = [];
    let committedAt = 0;
    await startRelay(async () => {
      delays.push(performance.now() - committedAt);
    });
    for (let n = 1; n <= 6; n += 1) {
      await database.app.withTenant(ALICE, (tx) => append(tx, ALICE, `e.${n}`));
      committedAt = performance.now();
      await eventually(() => delays.length === n);
    }
    // A relay that only polled, once a second, would need half a second in the median.
    expect(delays.sort((a, b) => a - b)[2]).toBeLessThan(300);
  });

  it('loses nothing when the publisher fails, and says so', async () => {
    const subjects = await appendMany(30);
    let failures = 3;
    await startRelay(async (message) => {
      if (message.subject === 'e.00017' && failures > 0) {
        failures -= 1;
        throw new Error('broker down');
      }
      await record(message);
    });
    await drained();
    expect([...new Set(published)].sort()).toEqual(subjects);
    expect(errors).toHaveLength(3);
  });

  it('keeps only what the broker did not acknowledge, and publishes nothing else again', async () => {
    const subjects = await appendMany(30);
    let failures = 2;
    await startRelay(async (message) => {
      if (message.subject === 'e.00017' && failures > 0) {
        failures -= 1;
        throw new Error('broker down');
      }
      await record(message);
    });
    await drained();
    expect(published.sort()).toEqual(subjects);
  });

  it('tries one event at a time while the broker acknowledges none, so that an election locks one row', async () => {
    const subjects = await appendMany(250);
    let isElecting = true;
    let tried = 0;
    const turns: number[] = [];
    await startRelay(async (message) => {
      tried += 1;
      if (isElecting) throw new Error('no leader');
      await record(message);
    });
    await eventually(() => {
      if (errors.length > turns.length) turns.push(tried);
      return errors.length >= 3;
    });
    expect(turns[0]).toBe(200);
    expect(tried).toBeLessThanOrEqual(203);
    isElecting = false;
    await drained();
    expect(published.sort()).toEqual(subjects);
  });

  it('publishes what was acknowledged just before and during an outage once more when it is over, and nothing older', async () => {
    const outage = new CairnError('unavailable', 'no leader');
    await appendMany(10);
    let isDown = false;
    await startRelay(async (message) => {
      if (isDown && message.subject !== 'e.00020') throw outage;
      await record(message);
    }, 100);
    await drained();
    await asSuperuser(
      database,
      "UPDATE notes.published_events SET published_at = published_at - interval '1 minute' WHERE subject < 'e.00005'",
    );
    isDown = true;
    // The fifteenth is refused; the twentieth is acknowledged by a broker that is about to lose it.
    await appendMany(1, 15);
    await eventually(() => errors.length > 0);
    await appendMany(1, 20);
    await eventually(() => published.includes('e.00020'));
    await eventually(() => errors.length > 2);
    isDown = false;
    const doubted = [...Array.from({ length: 5 }, (_, n) => `e.0000${n + 5}`), 'e.00020'];
    const times = (subject: string) => published.filter((one) => one === subject).length;
    await eventually(() => doubted.every((subject) => times(subject) > 1));
    await drained();
    expect(times('e.00015')).toBeGreaterThan(0);
    expect(Array.from({ length: 5 }, (_, n) => times(`e.0000${n}`))).toEqual([1, 1, 1, 1, 1]);
  });

  it('publishes again what was published when its backend is ended before the delete', async () => {
    const subjects = await appendMany(20);
    let cut = false;
    await startRelay(async (message) => {
      await record(message);
      if (cut) return;
      cut = true;
      const holders = await asSuperuser<{ pid: number }>(
        database,
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = 'notes_worker' AND state LIKE 'idle in transaction%'",
      );
      for (const { pid } of holders) await terminate(database, pid);
    });
    await drained();
    expect([...new Set(published)].sort()).toEqual(subjects);
    expect(published.length).toBeGreaterThan(subjects.length);
    expect(errors).toEqual([expect.objectContaining({ code: 'unavailable' })]);
  });

  it('loses and doubles nothing when two replicas relay at once while events come in', async () => {
    await Promise.all([startRelay(record), startRelay(record)]);
    const subjects = (await Promise.all([appendMany(200), appendMany(200, 200), appendMany(200, 400)])).flat();
    await drained();
    expect(published.sort()).toEqual(subjects);
  });

  it('finishes the batch it is in when it is closed, and takes no more', async () => {
    await appendMany(5);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const relay = await startRelay(async (message) => {
      await held;
      await record(message);
    });
    await eventually(async () => {
      const rows = await asSuperuser<{ n: number }>(
        database,
        "SELECT count(*)::int AS n FROM pg_locks WHERE relation = 'notes.outbox'::regclass",
      );
      return rows[0]!.n > 0;
    });
    const closed = relay.close();
    release();
    await closed;
    expect(published).toHaveLength(5);
    expect(await waiting()).toBe(0);
    await appendMany(1, 5);
    expect(published).toHaveLength(5);
  });
});
