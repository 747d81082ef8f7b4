import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AuditRecorded, createApiKey, decodeEvent, newId, revokeApiKey } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { idempotent, type Tx } from '@cairn/postgres';
import type { Change } from '@cairn/service-kit';
import { connectSuperuser, type TestDatabase, testIdentity } from '@cairn/testing';
import { createChangeLog } from '../src/index.ts';
import { createEventsDatabase, silent } from './event-fixtures.ts';

let database: TestDatabase;
let superuser: Awaited<ReturnType<typeof connectSuperuser>>;
beforeAll(async () => {
  database = await createEventsDatabase();
  superuser = await connectSuperuser(database, 'events');
});
afterAll(async () => {
  await superuser.close();
  await database.close();
});
beforeEach(() => superuser.ask('TRUNCATE outbox, idempotency_keys'));

const log = createChangeLog(silent);
const identity = testIdentity();
const { tenantId } = identity;
const CREATES: Change = {
  operation: createApiKey,
  identity,
  requestId: 'req-1',
  clientAddress: '192.0.2.7',
  params: {},
};
const REVOKES: Change = { ...CREATES, operation: revokeApiKey, params: { key_id: 'key_2', user: 'ada@example.org' } };

/** What the outbox holds, oldest first. */
async function recorded(): Promise<AuditRecorded[]> {
  const rows = await superuser.ask<{ payload: Buffer }>('SELECT payload FROM outbox ORDER BY position');
  return rows.map(({ payload }) => decodeEvent(payload).payload.value as AuditRecorded);
}

const change = (tx: Tx, key = newId('event')) =>
  tx.execute(
    `INSERT INTO idempotency_keys (tenant_id, operation, key, body_sha256, status, answer) VALUES ($1, 'x', $2, '', 200, '{}')`,
    [tenantId, key],
  );
const changed = () => database.app.withTenant(tenantId, (tx) => change(tx));
const ids = (audit: AuditRecorded) => audit.targets.map(({ name, id }) => `${name}=${id}`);

describe('what a request changes', () => {
  it('is recorded in the transaction that changes it: who, what, from where', async () => {
    await log.record(REVOKES, async () => {
      await changed();
      // As if the service were killed before it could answer.
      expect(await recorded()).toHaveLength(1);
      return { body: {} };
    });
    const [audit, ...others] = await recorded();
    expect(others).toEqual([]);
    expect(audit).toMatchObject({
      operation: 'revokeApiKey',
      actorId: identity.keyId,
      actorKind: identity.kind,
      credentialId: identity.credentialId,
      requestId: 'req-1',
      clientAddress: '192.0.2.7',
      status: 200,
      answered: false,
    });
    expect(ids(audit!)).toEqual(['key_id=key_2']);
  });

  it('leaves no record when it is rolled back, or when nothing was changed', async () => {
    const failing = log.record(REVOKES, () =>
      database.app.withTenant(tenantId, async (tx) => {
        await change(tx);
        throw new CairnError('conflict', 'Not now.');
      }),
    );
    await expect(failing).rejects.toThrow('Not now.');
    await log.record(REVOKES, async () => {
      await database.app.withTenant(tenantId, (tx) => tx.query('SELECT FROM idempotency_keys'));
      await database.app.withTenant(tenantId, (tx) => tx.query('SELECT 1'), { mode: 'snapshot' });
      return { body: {} };
    });
    expect(await recorded()).toEqual([]);
  });

  it('is recorded by the background role, too, and once for all transactions of the request', async () => {
    await log.record(REVOKES, async () => {
      await database.worker.transaction((tx) => tx.execute('DELETE FROM inbox'));
      await database.worker.transaction((tx) =>
        tx.execute("INSERT INTO inbox (consumer, event_id) VALUES ('spec', 'evt_1')"),
      );
      await changed();
      return { body: {} };
    });
    expect(await recorded()).toHaveLength(1);
  });

  it('is not recorded for another tenant', async () => {
    await log.record(REVOKES, async () => {
      await database.app.withTenant('tnt_other', (tx) =>
        tx.execute(
          `INSERT INTO idempotency_keys (tenant_id, operation, key, body_sha256, status, answer) VALUES ('tnt_other', 'x', 'y', '', 200, '{}')`,
        ),
      );
      return { body: {} };
    });
    expect(await recorded()).toEqual([]);
  });

  it('names what was created at once when the answer is kept for repeats, and a repeat records nothing', async () => {
    const create = () =>
      log.record(CREATES, async () => {
        const options = { caller: identity, operation: 'createApiKey', key: 'once', request: {} };
        const body = { key_id: newId('key'), api_key: 'ck_live_secret', list: [{ memory_id: newId('memory') }] };
        return database.app.withTenant(tenantId, (tx) => idempotent(tx, options, async () => ({ status: 201, body })));
      });
    const first = (await create()).body as { key_id: string; list: { memory_id: string }[] };
    await create();
    const [audit, ...others] = await recorded();
    expect(others).toEqual([]);
    expect(ids(audit!)).toEqual([`key_id=${first.key_id}`, `memory_id=${first.list[0]!.memory_id}`]);
  });

  it('is completed by what only the answer says: ids, and a failure after something was committed', async () => {
    const keyId = newId('key');
    await log.record(CREATES, async () => {
      await changed();
      return { body: { key_id: keyId, secret_id: 'ck_live_not_an_id' } };
    });
    const failing = log.record(REVOKES, async () => {
      await changed();
      throw new CairnError('insufficient_credits', 'No credits are left.');
    });
    await expect(failing).rejects.toThrow('No credits');
    const [begun, answered, revoking, failed] = await recorded();
    expect(answered).toMatchObject({ auditId: begun!.auditId, status: 201, answered: true });
    expect(ids(answered!)).toEqual([`key_id=${keyId}`]);
    expect(failed).toMatchObject({ auditId: revoking!.auditId, status: 402, answered: true });
  });

  it('does not count what goes on after the answer', async () => {
    let later: Promise<unknown> = Promise.resolve();
    let release: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (release = resolve));
    await log.record(REVOKES, async () => {
      later = answered.then(changed);
      return { body: {} };
    });
    release();
    await later;
    expect(await recorded()).toEqual([]);
  });
});
