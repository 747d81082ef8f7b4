import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectEventBus, EVENT_STREAM } from '@cairn/events';
import { eventually } from '@cairn/testing';
import pg from 'pg';
import { standardClient } from './oauth-client.ts';
import { KNOWN_MEMORY, makeTenant, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
let plaintexts: string[];

beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
  plaintexts = [tenant.liveKey, tenant.testKey];
  for (const body of [
    { name: 'live' },
    { name: 'test', type: 'test' },
    { name: 'ephemeral', type: 'ephemeral' },
    { name: 'memory', type: 'memory', memory_id: KNOWN_MEMORY },
  ]) {
    const header = { 'idempotency-key': randomUUID() };
    const answer = await keys.call(tenant.live, 'POST', '/api/v1/api-keys', body, header);
    plaintexts.push(answer.body['api_key'] as string);
    await keys.call(tenant.live, 'POST', '/api/v1/api-keys', body, header);
    await keys.call(tenant.live, 'POST', '/api/v1/api-keys', { ...body, name: 'other' }, header);
  }
  const rotated = await keys.call(tenant.live, 'POST', `/api/v1/api-keys/${tenant.live.keyId}/rotate`, {});
  plaintexts.push(rotated.body['api_key'] as string);
  const header = { 'idempotency-key': randomUUID() };
  const request = { name: 'client', scopes: ['usage:read'] };
  const { body: client } = await keys.call(tenant.live, 'POST', '/api/v1/oauth-clients', request, header);
  const { client_id: clientId, client_secret: secret } = client as { client_id: string; client_secret: string };
  const token = await standardClient(keys).token({ clientId, secret });
  await standardClient(keys).revoke({ clientId, secret }, token.access_token);
  plaintexts.push(secret, token.access_token);
  // A careless caller puts a key where it does not belong: into a body that is refused, a path and a query.
  await keys.call(tenant.live, 'POST', '/api/v1/api-keys', { name: 'x', api_key: tenant.liveKey });
});
afterAll(() => keys.close());

/** What would give a key away: its text, and its text as bytes in hex or base64. */
function tracesIn(text: string): string[] {
  return plaintexts.flatMap((plaintext) => {
    const secret = plaintext.slice(12);
    const spellings = [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(plaintext).toString('base64').slice(16, -4),
    ];
    return spellings.filter((spelling) => text.includes(spelling));
  });
}

describe('the plaintext of a key', () => {
  it('is found by the search that the specs below rely on', () => {
    expect(plaintexts).toHaveLength(9);
    expect(tracesIn(`x ${plaintexts[3]!} y`)).toHaveLength(1);
    expect(tracesIn(Buffer.from(plaintexts[3]!).toString('hex'))).toHaveLength(1);
    expect(tracesIn(Buffer.from(plaintexts[3]!).toString('base64'))).toHaveLength(1);
  });

  it('is in no column of any table, not even of the system’s', async () => {
    const client = new pg.Client({ connectionString: keys.database.superuserUrl });
    await client.connect();
    const tables = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'keys'",
    );
    expect(tables.rows.length).toBeGreaterThanOrEqual(8);
    for (const { name } of tables.rows) {
      const rows = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      expect({ name, traces: rows.rows.flatMap(({ text }) => tracesIn(text)) }).toEqual({ name, traces: [] });
    }
    const activity = await client.query<{ query: string }>(
      'SELECT query FROM pg_stat_activity WHERE query IS NOT NULL',
    );
    expect(activity.rows.flatMap(({ query }) => tracesIn(query))).toEqual([]);
    await client.end();
  });

  it('is in no event', async () => {
    const bus = await connectEventBus({ natsUrl: keys.nats.url, name: 'spec' });
    const info = await eventually(
      () => bus.manager.streams.info(EVENT_STREAM),
      ({ state }) => state.messages >= 4,
    );
    for (let seq = info.state.first_seq; seq <= info.state.last_seq; seq += 1) {
      const message = await bus.manager.streams.getMessage(EVENT_STREAM, { seq });
      expect(tracesIn(Buffer.from(message.data).toString('latin1'))).toEqual([]);
    }
    await bus.close();
  });

  it('is in no log line at the most talkative level, and in no response, when the database refuses the key', async () => {
    const { superuserUrl } = keys.database;
    const client = new pg.Client({ connectionString: superuserUrl });
    await client.connect();
    await client.query("ALTER TABLE keys.api_keys ADD CONSTRAINT breaks CHECK (name <> 'breaks')");
    const answer = await keys.call(
      tenant.live,
      'POST',
      '/api/v1/api-keys',
      { name: 'breaks' },
      { 'x-api-key': tenant.liveKey },
    );
    await client.query('ALTER TABLE keys.api_keys DROP CONSTRAINT breaks');
    await client.end();
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/breaks|constraint|api_keys|\.ts/);
    expect(keys.logged()).toContain('request failed');
    expect(tracesIn(keys.logged())).toEqual([]);
    expect(keys.logged()).not.toMatch(/(?:ck_(?:live|test|eph)|mk|ot|ocs)_[0-9A-Za-z]{40}/);
  });

  it('is in no later response', async () => {
    const list = await keys.call(tenant.live, 'GET', '/api/v1/api-keys');
    expect(tracesIn(JSON.stringify(list.body))).toEqual([]);
  });

  it('is stored as its SHA-256, and no two keys share one', async () => {
    const rows = await keys.database.worker.transaction((tx) =>
      tx.query<{ n: number; lengths: number }>(
        'SELECT count(DISTINCT sha256) AS n, max(octet_length(sha256)) AS lengths FROM api_keys',
      ),
    );
    expect(rows).toEqual([{ n: 7, lengths: 32 }]);
  });
});
