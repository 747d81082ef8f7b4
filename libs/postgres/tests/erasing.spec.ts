import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually, type TestDatabase } from '@cairn/testing';
import { appendToOutbox, eraseFromOutbox, eraseStoredResponses, idempotent, startOutboxRelay } from '../src/index.ts';
import { ALICE, asSuperuser, BOB, createNotesDatabase } from './notes-schema.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createNotesDatabase();
});
afterAll(() => database.close());

/** Keeps an answer under the key; the answer is the key's name and what is given. */
function keep(tenantId: string, key: string, memoryId: string | undefined, vaultId = ''): Promise<unknown> {
  return database.app.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: { tenantId, keyId: 'key_1', memoryId: null, spaceId: null, hostMemoryId: null },
        operation: 'write',
        key,
        request: {},
        ...(memoryId === undefined ? {} : { memoryId }),
      },
      async () => ({ status: 200, body: { key, vault_id: vaultId } }),
    ),
  );
}

async function keysKept(): Promise<string[]> {
  const rows = await asSuperuser<{ key: string }>(
    database,
    "SELECT answer->>'key' AS key FROM notes.idempotency_keys ORDER BY 1",
  );
  return rows.map((row) => row.key);
}

describe('kept answers', () => {
  it('go with the memory they are about, or only those that name one of its vaults; others stay', async () => {
    await keep(ALICE, 'a1', 'mem_a', 'vlt_1');
    await keep(ALICE, 'a2', 'mem_a', 'vlt_2');
    await keep(ALICE, 'b', 'mem_b', 'vlt_3');
    await keep(ALICE, 'none', undefined, 'vlt_4');
    await keep(ALICE, 'says mem_a', undefined);
    await keep(BOB, 'bob', 'mem_a', 'vlt_1');
    const erase = (mentions?: string) =>
      database.app.withTenant(ALICE, (tx) =>
        eraseStoredResponses(tx, {
          tenantId: ALICE,
          memoryId: 'mem_a',
          ...(mentions === undefined ? {} : { mentions }),
        }),
      );
    await erase('vlt_1');
    expect(await keysKept()).toEqual(['a2', 'b', 'bob', 'none', 'says mem_a']);
    await erase();
    expect(await keysKept()).toEqual(['b', 'bob', 'none']);
  });
});

describe('waiting events', () => {
  const append = (subject: string, payload: string) =>
    database.app.withTenant(ALICE, (tx) =>
      appendToOutbox(tx, { tenantId: ALICE, eventId: randomUUID(), subject, payload: Buffer.from(payload) }),
    );
  const waiting = async () => {
    const rows = await asSuperuser<{ subject: string }>(database, 'SELECT subject FROM notes.outbox ORDER BY position');
    return rows.map((row) => row.subject);
  };
  const erase = (mentions?: string) =>
    database.app.withTenant(ALICE, (tx) =>
      eraseFromOutbox(tx, { tenantId: ALICE, memoryId: 'mem_a', ...(mentions === undefined ? {} : { mentions }) }),
    );

  it('go with the memory in their subject, or only those that hold an id; others stay', async () => {
    await append('e.tnt.ws.mem_a', 'x vlt_1 y');
    await append('e.tnt.ws.mem_a', 'x vlt_2 y');
    await append('e.tnt.ws.not_mem_a', 'x vlt_1 y');
    await append('e.tnt.mem_a.mem_b', 'x vlt_1 y');
    expect(await erase('vlt_1')).toBe(1);
    expect(await erase()).toBe(1);
    expect(await waiting()).toEqual(['e.tnt.ws.not_mem_a', 'e.tnt.mem_a.mem_b']);
  });

  it('that are being published are waited for, so that none comes after', async () => {
    let publishing = () => {};
    const begun = new Promise<void>((resolve) => {
      publishing = resolve;
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await append('e.tnt.ws.mem_a', 'x');
    const published: string[] = [];
    const relay = await startOutboxRelay({
      database: database.worker,
      schema: 'notes',
      async publish(message) {
        publishing();
        await held;
        published.push(message.subject);
      },
      onError: () => undefined,
    });
    await begun;
    let erased = false;
    const erasing = erase().then((count) => {
      erased = true;
      return count;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(erased).toBe(false);
    release();
    // It was published meanwhile, and was kept for a replay until the erasure got to it.
    expect(await erasing).toBe(1);
    expect(await asSuperuser(database, "SELECT FROM notes.published_events WHERE subject LIKE '%.mem_a'")).toEqual([]);
    expect(published).toContain('e.tnt.ws.mem_a');
    await eventually(waiting, (left) => left.length === 0);
    await relay.close();
  });
});
