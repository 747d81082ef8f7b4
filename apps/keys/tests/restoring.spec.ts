import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Credential,
  decodeJournalEntry,
  Denial,
  encodeJournalEntry,
  type JournalEntry,
  KeysService,
  newId,
} from '@cairn/contracts';
import { connectEventBus, JOURNAL_STREAM, publishEvent } from '@cairn/events';
import { digestOf } from '@cairn/identity';
import { createDatabase, readRestoreState } from '@cairn/postgres';
import { rpcClient, type StartedService } from '@cairn/service-kit';
import { eventually } from '@cairn/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Writable } from 'node:stream';
import pino from 'pino';
import type { Invalidate, Invalidation } from '../src/invalidation/invalidate.ts';
import { insertApp } from '../src/credentials/app-store.ts';
import { reapplyWhileServing } from '../src/invalidation/reapply-while-serving.ts';
import { resumeInterruptedRevocations } from '../src/invalidation/resume-interrupted-revocations.ts';
import { startKeys } from '../src/service.ts';
import { keyClient } from './changing-keys.ts';
import {
  KNOWN_MEMORY,
  KNOWN_SPACE,
  makeTenant,
  resolve,
  type RunningKeys,
  runKeys,
  type Tenant,
} from './keys-harness.ts';
import { standardClient } from './oauth-client.ts';

let keys: RunningKeys;
let tenant: Tenant;
let suspended: Tenant;
let client: ReturnType<typeof keyClient>;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
  suspended = await makeTenant(keys);
  client = keyClient(keys, () => tenant);
});
afterAll(() => keys.close());

async function asOwner(...statements: string[]): Promise<void> {
  const database = createDatabase({ url: keys.database.superuserUrl, applicationName: 'restore', poolMax: 1 });
  try {
    await database.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement);
    });
  } finally {
    await database.close();
  }
}

/** What `cairn operator restore accept-lost` writes. */
async function acceptLostDecisions(): Promise<void> {
  const { identity } = await readRestoreState(keys.database.worker);
  await asOwner(
    `INSERT INTO keys.restore_state (database_identity, journal, position, accepted_identity) VALUES ('', '', 0, '${identity}')
     ON CONFLICT (only_row) DO UPDATE SET accepted_identity = excluded.accepted_identity`,
  );
}

/** Waits until the journal holds so many entries. */
async function journaled(count: number): Promise<void> {
  const bus = await connectEventBus({ natsUrl: keys.nats.url, name: 'journal' });
  try {
    await eventually(async () => (await bus.manager.streams.info(JOURNAL_STREAM)).state.messages >= count);
  } finally {
    await bus.close();
  }
}

async function outboxRows(): Promise<number> {
  const [row] = await keys.database.worker.transaction((tx) =>
    tx.query<{ rows: number }>('SELECT count(*) AS rows FROM outbox'),
  );
  return row!.rows;
}

interface Replica {
  starting: Promise<StartedService>;
  hasStarted: () => boolean;
  logged: () => string;
  resolve(plaintext: string): Promise<Credential | Denial | undefined>;
  close(): Promise<void>;
}

function startReplica(): Replica {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  let started = false;
  const starting = startKeys(keys.config, pino({ level: 'debug' }, sink)).then((service) => {
    started = true;
    return service;
  });
  return {
    starting,
    hasStarted: () => started,
    logged: () => lines.join(''),
    async resolve(plaintext) {
      const { addresses } = await starting;
      const gateway = rpcClient(KeysService, addresses.grpc!, keys.identities.serviceTokens('gateway'));
      try {
        return (await gateway.resolve({ sha256: digestOf(plaintext) })).result.value;
      } finally {
        gateway.close();
      }
    },
    close: async () => (await starting).close(),
  };
}

describe('a database that was restored to a state from before a revocation', () => {
  it('is not served until the journal was applied: revoked stays revoked, suspended stays suspended', async () => {
    const revoked = await client.mint();
    const kept = await client.mint();
    await eventually(async () => (await readRestoreState(keys.database.worker)).state?.journal !== '');
    expect(await client.revoke(revoked.keyId)).toMatchObject({ status: 200 });
    const bus = await connectEventBus({ natsUrl: keys.nats.url, name: 'tenancy-stub' });
    const value = { status: 'suspended', revision: 2n };
    await publishEvent(bus, encodeJournalEntry('tenancy', suspended.tenantId, { case: 'tenantStatusChanged', value }));
    await bus.close();
    await journaled(2);

    // What a restore to before the revocation leaves.
    await asOwner(
      `UPDATE keys.api_keys SET revoked_at = NULL`,
      `UPDATE keys.restore_state SET position = 0, database_identity = 'another/00000001'`,
    );
    await keys.nats.kill9();
    const replica = startReplica();
    await sleep(1_500);
    expect(replica.hasStarted()).toBe(false);
    await keys.nats.restart();
    await replica.starting;
    expect(await replica.resolve(revoked.plaintext)).toBe(Denial.REVOKED);
    expect(await replica.resolve(suspended.liveKey)).toBe(Denial.TENANT_SUSPENDED);
    expect(await replica.resolve(kept.plaintext)).toMatchObject({ tenantId: tenant.tenantId });
    await replica.close();
  });

  it('is not served when the journal was lost, too, until the operator accepts that', async () => {
    await asOwner(`UPDATE keys.restore_state SET journal = 'lost', database_identity = 'another/00000002'`);
    const replica = startReplica();
    await eventually(() => replica.logged().includes('accept-lost'));
    expect(replica.hasStarted()).toBe(false);
    await acceptLostDecisions();
    await replica.starting;
    await replica.close();
  });

  it('is not served without a record of the journal when it is older than its server, until the operator accepts that', async () => {
    await asOwner(`UPDATE keys.api_keys SET created_at = '2001-01-01'`, 'DELETE FROM keys.restore_state');
    const replica = startReplica();
    await eventually(() => replica.logged().includes('does not say which journal it belongs to'));
    expect(replica.hasStarted()).toBe(false);
    await acceptLostDecisions();
    await replica.starting;
    await replica.close();
    await asOwner('UPDATE keys.api_keys SET created_at = now()');
  });
});

describe('a database of a release that kept no record of the journal', () => {
  it('has all of it applied when it is upgraded', async () => {
    const revoked = await client.mint();
    expect(await client.revoke(revoked.keyId)).toMatchObject({ status: 200 });
    await eventually(async () => (await outboxRows()) === 0);
    await asOwner(
      `UPDATE keys.api_keys SET revoked_at = NULL WHERE key_id = '${revoked.keyId}'`,
      'DELETE FROM keys.restore_state',
    );
    const replica = startReplica();
    expect(await replica.resolve(revoked.plaintext)).toBe(Denial.REVOKED);
    await replica.close();
  });
});

function revocationOf(tenantId: string, credentialId: string): JournalEntry {
  const value = { credentialIds: [credentialId] };
  return decodeJournalEntry(encodeJournalEntry('keys', tenantId, { case: 'credentialsRevoked', value }).payload);
}

/** What reapplies and finishes revocations, and what the gateways, of which there are none, were notified of. */
function notifying() {
  const notified: Invalidation[] = [];
  const invalidate: Invalidate = async (invalidation, commit) => {
    notified.push(invalidation);
    return commit();
  };
  return { notified, deps: { invalidate, workerDatabase: keys.database.worker, now: () => new Date() } };
}

async function openSession({ liveKey }: Tenant): Promise<{ sessionId: string; secret: string }> {
  const response = await keys.open('/api/v1/console/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: liveKey }),
  });
  const secret = /^__Host-cairn_session=([^;]*);/.exec(response.headers.get('set-cookie') ?? '')![1]!;
  return { sessionId: ((await response.json()) as { session_id: string }).session_id, secret };
}

describe('a decision that a database has forgotten while it is served', () => {
  it('notifies the gateways before it is applied again, and none of them once it is known', async () => {
    const key = await client.mint();
    const revocation = revocationOf(tenant.tenantId, key.keyId);
    const suspension = decodeJournalEntry(
      encodeJournalEntry('tenancy', tenant.tenantId, {
        case: 'tenantStatusChanged',
        value: { status: 'suspended', revision: 7n },
      }).payload,
    );
    const { notified, deps } = notifying();
    for (const entry of [revocation, revocation, suspension]) await reapplyWhileServing(deps, entry);
    expect(notified).toEqual([
      { invalidated: { what: 'credentials', ids: [key.keyId] }, effect: 'deny', closes: true },
      { invalidated: { what: 'tenant', tenantId: tenant.tenantId }, effect: 'recheck', closes: true },
    ]);
    expect(await resolve(keys, key.plaintext)).toBe(Denial.REVOKED);
  });

  it('ends a session that had been signed out of', async () => {
    const own = await makeTenant(keys);
    const { sessionId, secret } = await openSession(own);
    const { notified, deps } = notifying();
    const entry = revocationOf(own.tenantId, sessionId);
    for (const again of [entry, entry]) await reapplyWhileServing(deps, again);
    const invalidated = { what: 'credentials', ids: [sessionId] };
    expect(notified).toEqual([{ invalidated, effect: 'deny', closes: true }]);
    expect(await resolve(keys, secret)).toBe(Denial.REVOKED);
  });
});

describe('a revocation that was interrupted', () => {
  it('is in the journal once it is finished, also that of a session, an app or a token', async () => {
    const own = await makeTenant(keys);
    const ids = [(await openSession(own)).sessionId, await connectApp(own), await issueToken(own)];
    await keys.database.worker.transaction((tx) =>
      tx.execute("INSERT INTO open_denials VALUES ($1, $2, now() - interval '5 minutes')", [newId('job'), ids]),
    );
    await resumeInterruptedRevocations(notifying().deps);
    expect((await journaledOf(own.tenantId)).toSorted()).toEqual(ids.toSorted());
  });
});

async function connectApp({ tenantId, live }: Tenant): Promise<string> {
  const appId = newId('connectedApp');
  const tomorrow = new Date(Date.now() + 86_400_000);
  await keys.database.worker.transaction((tx) =>
    insertApp(tx, {
      tenant_id: tenantId,
      app_id: appId,
      key_id: live.keyId,
      client_id: 'https://app.example/client',
      client_name: 'An app',
      scopes: ['memory:search'],
      memory_id: KNOWN_MEMORY,
      space_id: KNOWN_SPACE,
      resource: 'https://memory.example/mcp',
      created_at: new Date(),
      expires_at: tomorrow,
      ends_at: tomorrow,
    }),
  );
  return appId;
}

async function issueToken({ live }: Tenant): Promise<string> {
  const body = { name: 'robot', scopes: ['memory:search'] };
  const made = (await keys.call(live, 'POST', '/api/v1/oauth-clients', body)).body as Record<string, string>;
  const robot = { clientId: made['client_id']!, secret: made['client_secret']! };
  const { access_token: token } = await standardClient(keys).token(robot);
  return ((await resolve(keys, token)) as Credential).credentialId;
}

/** The credentials that the journal says were revoked, whether its entries were published already or not. */
async function journaledOf(tenantId: string): Promise<string[]> {
  const rows = await keys.database.worker.transaction((tx) =>
    tx.query<{ payload: Uint8Array }>(
      `SELECT payload FROM (SELECT subject, payload FROM outbox UNION ALL SELECT subject, payload FROM published_events) kept
        WHERE subject = 'cairn.journal.keys.' || $1`,
      [tenantId],
    ),
  );
  return rows.flatMap(({ payload }) => {
    const { decision } = decodeJournalEntry(payload);
    return decision.case === 'credentialsRevoked' ? decision.value.credentialIds : [];
  });
}
