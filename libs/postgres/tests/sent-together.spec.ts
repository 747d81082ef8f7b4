import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type TestDatabase } from '@cairn/testing';
import { createDatabase, type Database, type Tx } from '../src/index.ts';
import {
  addNote,
  ALICE,
  asSuperuser,
  backendOf,
  BOB,
  createNotesDatabase,
  noteIds,
  terminate,
} from './notes-schema.ts';

let notes: TestDatabase;
/** With a single connection, so that whatever a transaction leaves behind is the next one's. */
let single: Database;
beforeAll(async () => {
  notes = await createNotesDatabase();
  single = createDatabase({ url: notes.url, applicationName: 'together', poolMax: 1 });
});
afterAll(async () => {
  await single.close();
  await notes.close();
});

const number = async (tx: Tx, n: number) =>
  (await tx.query<{ n: number }>({ name: `number_${n % 3}`, text: 'SELECT $1::int AS n', values: [n] }))[0]!.n;

describe('statements of one transaction that are sent together', () => {
  it.each(['read-write', 'snapshot'] as const)('each get their own rows, in a %s one', async (mode) => {
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    expect(await single.withTenant(ALICE, (tx) => Promise.all(numbers.map((n) => number(tx, n))), { mode })).toEqual(
      numbers,
    );
  });

  it('see the tenant although they follow its name at once', async () => {
    await single.withTenant(ALICE, (tx) => addNote(tx, ALICE, 'seen'));
    const read = (tenant: string) => single.withTenant(tenant, noteIds, { mode: 'snapshot' });
    expect(await Promise.all([read(ALICE), read(BOB), read(ALICE)])).toEqual([['seen'], [], ['seen']]);
  });

  it('keep nothing when one of them fails, and leave a clean connection', async () => {
    const failed = single.withTenant(BOB, (tx) =>
      Promise.all([addNote(tx, BOB, 'lost-1'), number(tx, 1), tx.query('SELECT 1 / 0'), addNote(tx, BOB, 'lost-2')]),
    );
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    expect(await single.withTenant(BOB, noteIds)).toEqual([]);
  });

  it('fail with the one that failed, not with what it did to the others', async () => {
    const failed = single.withTenant(BOB, async (tx) => {
      const first = tx.query('SELECT 1 / 0').catch(() => delay(20));
      await Promise.all([first, addNote(tx, BOB, 'follows')]);
    });
    await expect(failed).rejects.toMatchObject({ code: '22012' });
  });

  it('end with the transaction: a part that goes on when another one failed reaches nobody else', async () => {
    const undo = new Error('undo');
    const late: unknown[] = [];
    const goingOn = async (tx: Tx) => {
      await delay(50);
      await addNote(tx, BOB, 'late');
    };
    const failed = single.withTenant(BOB, (tx) =>
      Promise.all([goingOn(tx).catch((error: unknown) => late.push(error)), Promise.reject(undo)]),
    );
    await expect(failed).rejects.toBe(undo);
    const next = single.withTenant(BOB, async (tx) => {
      await eventually(() => late.length > 0);
      return noteIds(tx);
    });
    expect(await next).toEqual([]);
    expect(late).toEqual([new Error('the transaction has ended')]);
  });

  it('all fail as unavailable when the connection is cut', async () => {
    const cut = single.withTenant(ALICE, async (tx) => {
      const pid = await backendOf(tx);
      const waiting = Promise.allSettled([tx.query('SELECT pg_sleep(60)'), number(tx, 1), number(tx, 2)]);
      await eventually(async () => {
        const rows = await asSuperuser(
          notes,
          "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE '%pg_sleep%'",
          [pid],
        );
        return rows.length > 0;
      });
      await terminate(notes, pid);
      expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      await number(tx, 3);
    });
    await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
    expect(await single.withTenant(ALICE, (tx) => number(tx, 4))).toBe(4);
  });
});
