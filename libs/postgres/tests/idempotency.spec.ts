import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@cairn/testing';
import {
  type Database,
  createDatabase,
  idempotent,
  type IdempotencyCaller,
  type StoredResponse,
  type Tx,
} from '../src/index.ts';
import { addNote, ALICE, asSuperuser, backendOf, BOB, createNotesDatabase, terminate } from './notes-schema.ts';

let database: TestDatabase;
let replica: Database;

beforeAll(async () => {
  database = await createNotesDatabase();
  replica = createDatabase({ url: database.url, applicationName: 'replica', poolMax: 8 });
});
afterAll(async () => {
  await replica.close();
  await database.close();
});

interface Attempt {
  key?: string;
  request?: unknown;
  operation?: string;
  tenant?: string;
  caller?: Partial<IdempotencyCaller>;
  on?: Database;
  during?: (tx: Tx) => Promise<void>;
}

/** One request that makes a note and answers with a secret. */
function attempt(noteId: string, options: Attempt): Promise<StoredResponse & { replayed: boolean }> {
  const tenantId = options.tenant ?? ALICE;
  return (options.on ?? database.app).withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: { tenantId, keyId: 'key_1', memoryId: null, spaceId: null, hostMemoryId: null, ...options.caller },
        operation: options.operation ?? 'createNote',
        key: options.key,
        request: options.request ?? { name: 'one' },
        secretFields: ['secret'],
      },
      async () => {
        await addNote(tx, tenantId, noteId);
        await options.during?.(tx);
        return { status: 201, body: { note_id: noteId, secret: `plain-${noteId}` } };
      },
    ),
  );
}

async function notesLike(prefix: string): Promise<number> {
  const rows = await asSuperuser<{ n: number }>(
    database,
    'SELECT count(*)::int AS n FROM notes.notes WHERE note_id LIKE $1',
    [`${prefix}%`],
  );
  return rows[0]!.n;
}

const storedFor = (noteId: string) =>
  asSuperuser<{ answer: unknown }>(database, "SELECT * FROM notes.idempotency_keys WHERE answer->>'note_id' = $1", [
    noteId,
  ]);

describe('a repeat', () => {
  it('with the same key and body gets the stored answer without the secret, and does nothing', async () => {
    const key = randomUUID();
    const first = await attempt('again-1', { key });
    expect(first).toEqual({ status: 201, body: { note_id: 'again-1', secret: 'plain-again-1' }, replayed: false });
    const second = await attempt('again-2', { key });
    expect(second).toEqual({ status: 201, body: { note_id: 'again-1' }, replayed: true });
    expect(await notesLike('again-')).toBe(1);
  });

  it('finds no secret in the database', async () => {
    const key = randomUUID();
    await attempt('secret-1', { key });
    expect(JSON.stringify(await storedFor('secret-1'))).not.toContain('plain-secret-1');
  });

  it('whose body says the same in another order is the same request', async () => {
    const key = randomUUID();
    await attempt('order-1', { key, request: { a: 1, b: { c: [1, { d: 2, e: 3 }] } } });
    const repeat = await attempt('order-2', { key, request: { b: { c: [1, { e: 3, d: 2 }] }, a: 1 } });
    expect(repeat.replayed).toBe(true);
  });

  it.each<[string, object, object]>([
    ['another value', { name: 'one' }, { name: 'two' }],
    ['another field', { name: 'one' }, { name: 'one', more: true }],
    ['another order of a list', { list: [1, 2] }, { list: [2, 1] }],
  ])('with %s is refused with idempotency_mismatch', async (_what, first, second) => {
    const key = randomUUID();
    await attempt(`other-${key}`, { key, request: first });
    await expect(attempt(`other2-${key}`, { key, request: second })).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
  });

  it('on another operation, or by another tenant, is another request', async () => {
    const key = randomUUID();
    await attempt('apart-1', { key });
    expect((await attempt('apart-2', { key, operation: 'createOther' })).replayed).toBe(false);
    expect((await attempt('apart-3', { key, tenant: BOB })).replayed).toBe(false);
  });

  it('after 24 hours is a new request', async () => {
    const key = randomUUID();
    await attempt('day-1', { key });
    await asSuperuser(
      database,
      `UPDATE notes.idempotency_keys SET created_at = now() - interval '24 hours' WHERE answer->>'note_id' = 'day-1'`,
    );
    expect((await attempt('day-2', { key, request: { name: 'new' } })).replayed).toBe(false);
    expect((await attempt('day-3', { key, request: { name: 'new' } })).body).toEqual({ note_id: 'day-2' });
  });
});

describe('the same key of another caller', () => {
  const others: [string, Partial<IdempotencyCaller>][] = [
    ['another key of the tenant', { keyId: 'key_2' }],
    ['a key of one memory', { memoryId: 'mem_1' }],
    ['a key of one space', { memoryId: 'mem_1', spaceId: 'spc_1' }],
    ['the same key on a hostname', { hostMemoryId: 'mem_1' }],
  ];

  it('is a request of its own: no answer is shown, and none is refused for another body', async () => {
    const key = randomUUID();
    await attempt('caller-0', { key });
    for (const [index, [what, caller]] of others.entries()) {
      const noteId = `caller-${index + 1}`;
      const own = await attempt(noteId, { key, caller, request: { name: what } });
      expect([what, own.replayed, own.body]).toEqual([what, false, expect.objectContaining({ note_id: noteId })]);
      const again = await attempt('caller-x', { key, caller, request: { name: what } });
      expect([what, again.replayed, again.body]).toEqual([what, true, { note_id: noteId }]);
    }
    expect((await attempt('caller-x', { key })).body).toEqual({ note_id: 'caller-0' });
    expect(await notesLike('caller-')).toBe(1 + others.length);
  });

  it('is not held up by the first one while that is open', async () => {
    const key = randomUUID();
    await attempt('beside-1', {
      key,
      during: async () => {
        const beside = await attempt('beside-2', { key, on: replica, caller: { keyId: 'key_2' } });
        expect(beside.replayed).toBe(false);
      },
    });
  });

  it('leaves no identifier of key, memory or space where its answer is stored', async () => {
    const caller = { keyId: 'key_trace', memoryId: 'mem_trace', spaceId: 'spc_trace' };
    await attempt('trace-1', { key: randomUUID(), caller });
    expect(JSON.stringify(await storedFor('trace-1'))).not.toMatch(/(?:key|mem|spc)_trace/);
  });

  it('is refused when the version before stored it for nobody in particular, and runs nothing twice', async () => {
    const key = randomUUID();
    await asSuperuser(
      database,
      `INSERT INTO notes.idempotency_keys (tenant_id, operation, key, body_sha256, status, answer)
       VALUES ($1, 'createNote', $2, '', 201, '{"note_id": "of somebody"}')`,
      [ALICE, key],
    );
    await expect(attempt('older-1', { key })).rejects.toMatchObject({ code: 'conflict' });
    expect(await notesLike('older-')).toBe(0);
    expect((await attempt('older-2', { key, tenant: BOB })).replayed).toBe(false);
  });
});

describe('without a key', () => {
  it('each request is its own and nothing is recorded', async () => {
    await attempt('plain-1', {});
    await attempt('plain-2', {});
    expect(await notesLike('plain-')).toBe(2);
  });
});

describe('duplicates at the same time', () => {
  it('on two replicas execute once; the others get 409 or the answer', async () => {
    const key = randomUUID();
    const answers = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) => attempt(`same-${n}`, { key, on: n % 2 === 0 ? database.app : replica })),
    );
    const executed = answers.filter((answer) => answer.status === 'fulfilled' && !answer.value.replayed);
    expect(executed).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ code: 'idempotency_in_flight', retryAfterSeconds: 1 });
    }
    expect(await notesLike('same-')).toBe(1);
  });

  it('get 409 for as long as the first is open, whatever their body', async () => {
    const key = randomUUID();
    await attempt('open-1', {
      key,
      during: async () => {
        await expect(attempt('open-2', { key, on: replica })).rejects.toMatchObject({ code: 'idempotency_in_flight' });
        await expect(attempt('open-3', { key, on: replica, request: {} })).rejects.toMatchObject({
          code: 'idempotency_in_flight',
        });
      },
    });
    expect((await attempt('open-4', { key, on: replica })).replayed).toBe(true);
  });
});

describe('a request that fails', () => {
  it('leaves neither its effect nor its key, and a repeat executes', async () => {
    const key = randomUUID();
    const failure = new Error('later');
    const failed = attempt('fail-1', { key, during: () => Promise.reject(failure) });
    await expect(failed).rejects.toBe(failure);
    expect(await storedFor('fail-1')).toEqual([]);
    expect((await attempt('fail-2', { key })).replayed).toBe(false);
    expect(await notesLike('fail-')).toBe(1);
  });

  it('because its connection was cut leaves no trace and holds nobody up', async () => {
    const key = randomUUID();
    const cut = attempt('cut-1', {
      key,
      during: async (tx) => terminate(database, await backendOf(tx)),
    });
    await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
    expect(await storedFor('cut-1')).toEqual([]);
    expect(await notesLike('cut-')).toBe(0);
    expect((await attempt('cut-2', { key, on: replica })).replayed).toBe(false);
    expect((await attempt('cut-3', { key })).body).toEqual({ note_id: 'cut-2' });
  });
});
