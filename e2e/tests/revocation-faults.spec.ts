import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@cairn/embedded';
import { eventually, type RunningCairn, startCairn } from '@cairn/testing';
import type pg from 'pg';
import { api } from './api.ts';
import { databaseOf, gatewaysShare } from './installation-state.ts';
import { type Replica, startReplica } from './more-replicas.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const LEASE_MS = 30_000;
const PATH = '/api/v1/workspaces';

let cairn: RunningCairn;
/** A keys replica that is killed, on addresses that it gets again. */
let coordinator: Replica;
/** The gateway that sends its callers to it; keys reaches it through a wire. */
let gateway: Replica;
let toGateway: TcpProxy;
let database: pg.Client;

const freeAddress = async () => `${cairn.hostAddress}:${await findFreePort()}`;
const startCoordinator = async (http: string, grpc: string) =>
  startReplica(cairn, 'keys', { CAIRN_HTTP_LISTEN: http, CAIRN_GRPC_LISTEN: grpc });

beforeAll(async () => {
  cairn = await startCairn();
  coordinator = await startCoordinator(await freeAddress(), await freeAddress());
  const grpc = await freeAddress();
  toGateway = await startTcpProxy(grpc, cairn.hostAddress);
  gateway = await startReplica(cairn, 'gateway', {
    CAIRN_KEYS_HTTP: coordinator.http,
    CAIRN_GRPC_LISTEN: grpc,
    CAIRN_GATEWAY_ADDRESS: toGateway.address,
  });
  database = await databaseOf(cairn);
}, 120_000);
afterAll(async () => {
  await database.end().catch(() => undefined);
  await Promise.all([gateway.stop(), coordinator.stop(), toGateway.close()]);
  await cairn.remove();
});

const newKey = async () =>
  (await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/api-keys', { name: 'x' })).body as {
    key_id: string;
    api_key: string;
  };
const statusAt = async (url: string, key: string) => (await api(url, key, 'GET', PATH)).status;
const everywhere = (key: string) => Promise.all([cairn.baseUrl, gateway.http].map((url) => statusAt(url, key)));
const deleteAt = (url: string, keyId: string) => api(url, cairn.apiKey, 'DELETE', `/api/v1/api-keys/${keyId}`);
const revokedAt = async (keyId: string) =>
  (await database.query('SELECT revoked_at FROM keys.api_keys WHERE key_id = $1', [keyId])).rows[0].revoked_at;

async function killCoordinator(): Promise<void> {
  await coordinator.stop();
}

/** The same addresses again; then DELETE is asked for once more, as its caller would, at the other gateway. */
async function finish(keyId: string, key: string): Promise<void> {
  const again = await deleteAt(cairn.baseUrl, keyId);
  expect(again).toMatchObject({ status: 200, body: { revoked: true } });
  expect(await everywhere(key)).toEqual([401, 401]);
  coordinator = await startCoordinator(coordinator.http.slice('http://'.length), coordinator.grpc);
}

describe('a coordinator that is killed in the middle of a DELETE', () => {
  it('before all gateways know: nothing is said to the caller or the database, and the repeated DELETE does it', async () => {
    const { key_id, api_key } = await newKey();
    expect(await everywhere(api_key)).toEqual([200, 200]);
    toGateway.cut();
    const asked = deleteAt(gateway.http, key_id);
    // The gateway that could be told knows.
    await eventually(async () => (await statusAt(cairn.baseUrl, api_key)) === 401);
    expect(await revokedAt(key_id)).toBeNull();
    await killCoordinator();
    expect((await asked).status).toBeGreaterThanOrEqual(500);
    expect(await revokedAt(key_id)).toBeNull();
    toGateway.restore();
    await finish(key_id, api_key);
  }, 120_000);

  it('when all gateways know and nothing is committed: they refuse, the database does not know, and nobody was told 200', async () => {
    const { key_id, api_key } = await newKey();
    expect(await everywhere(api_key)).toEqual([200, 200]);
    await database.query('BEGIN');
    await database.query('SELECT FROM keys.api_keys WHERE key_id = $1 FOR UPDATE', [key_id]);
    const asked = deleteAt(gateway.http, key_id);
    await eventually(async () => (await everywhere(api_key)).every((status) => status === 401));
    expect(await revokedAt(key_id)).toBeNull();
    await killCoordinator();
    expect((await asked).status).toBeGreaterThanOrEqual(500);
    await database.query('ROLLBACK');
    expect(await revokedAt(key_id)).toBeNull();
    expect(await everywhere(api_key)).toEqual([401, 401]);
    await finish(key_id, api_key);
  }, 120_000);

  it('when it is committed and one that joined meanwhile is not told yet: it is refused, and the repeat waits for that one', async () => {
    const { key_id, api_key } = await newKey();
    expect(await everywhere(api_key)).toEqual([200, 200]);
    await database.query('BEGIN');
    await database.query('SELECT FROM keys.api_keys WHERE key_id = $1 FOR UPDATE', [key_id]);
    const asked = deleteAt(gateway.http, key_id);
    await eventually(async () => (await everywhere(api_key)).every((status) => status === 401));
    // Between the two barriers a gateway joins that nobody can reach.
    const nowhere = await freeAddress();
    await database.query(
      "INSERT INTO keys.gateway_leases (gateway_id, address, expires_at) VALUES ($1, $2, now() + interval '60 seconds')",
      [`gw_${key_id}`, nowhere],
    );
    await database.query('COMMIT');
    await eventually(async () => (await revokedAt(key_id)) !== null);
    await killCoordinator();
    expect((await asked).status).toBeGreaterThanOrEqual(500);
    expect(await everywhere(api_key)).toEqual([401, 401]);
    await database.query(
      "UPDATE keys.gateway_leases SET expires_at = now() + interval '5 seconds' WHERE gateway_id = $1",
      [`gw_${key_id}`],
    );
    const repeatedAtMs = performance.now();
    await finish(key_id, api_key);
    expect(performance.now() - repeatedAtMs).toBeGreaterThan(3_000);
  }, 120_000);
});

describe('a gateway that is cut off', () => {
  it('delays a DELETE by no more than the rest of its lease, and admits nothing once that is answered', async () => {
    const keysWire = await startTcpProxy((await cairn.environmentOf('gateway'))['CAIRN_KEYS_GRPC'], cairn.hostAddress);
    const grpc = await freeAddress();
    const wire = await startTcpProxy(grpc, cairn.hostAddress);
    const lonely = await startReplica(cairn, 'gateway', {
      CAIRN_KEYS_GRPC: keysWire.address,
      CAIRN_GRPC_LISTEN: grpc,
      CAIRN_GATEWAY_ADDRESS: wire.address,
    });
    const { key_id, api_key } = await newKey();
    // Until the others have made room it admits nothing by itself.
    await gatewaysShare(database, 3);
    expect(await statusAt(lonely.http, api_key)).toBe(200);
    keysWire.cut();
    wire.cut();
    // It goes on by what it knows.
    expect(await statusAt(lonely.http, api_key)).toBe(200);
    const beganMs = performance.now();
    let deleted = await deleteAt(cairn.baseUrl, key_id);
    if (deleted.status !== 200) deleted = await deleteAt(cairn.baseUrl, key_id);
    const tookMs = performance.now() - beganMs;
    const after = await statusAt(lonely.http, api_key);
    process.stdout.write(`DELETE with one of three gateways cut off: ${(tookMs / 1_000).toFixed(1)} s\n`);
    expect(deleted.status).toBe(200);
    expect([401, 503]).toContain(after);
    // A call that was cut at its own time-out starts again with the time that is left.
    expect(tookMs).toBeLessThan(LEASE_MS + 10_000);
    keysWire.restore();
    wire.restore();
    await eventually(async () => (await statusAt(lonely.http, api_key)) === 401);
    await lonely.stop();
    await Promise.all([keysWire.close(), wire.close()]);
  }, 180_000);
});

describe('PostgreSQL that goes away and comes back', () => {
  it('never has a DELETE answered 200 that was not committed; cached keys go on, and after it the DELETE does it', async () => {
    const { key_id, api_key } = await newKey();
    expect(await everywhere(api_key)).toEqual([200, 200]);
    const other = await newKey();
    await database.end();
    const down = await cairn.without('postgres', () => deleteAt(cairn.baseUrl, key_id));
    expect(down).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    database = await databaseOf(cairn);
    expect(await revokedAt(key_id)).toBeNull();
    const deleted = await eventually(
      () => deleteAt(gateway.http, key_id),
      (answer) => answer.status === 200,
      40_000,
    );
    expect(deleted.body).toMatchObject({ revoked: true });
    expect(await everywhere(api_key)).toEqual([401, 401]);
    await eventually(async () => (await everywhere(other.api_key)).every((status) => status === 200));
  }, 180_000);
});
