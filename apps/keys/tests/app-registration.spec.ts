import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectSuperuser } from '@cairn/testing';
import { UNCONNECTED_MAX } from '../src/oauth/register-app-client.ts';
import { type RunningKeys, runKeys } from './keys-harness.ts';

let keys: RunningKeys;
let superuser: Awaited<ReturnType<typeof connectSuperuser>>;
beforeAll(async () => {
  keys = await runKeys();
  superuser = await connectSuperuser(keys.database, 'keys');
});
beforeEach(() => superuser.ask('TRUNCATE app_clients'));
afterAll(async () => {
  await superuser.close();
  await keys.close();
});

async function register(address: string): Promise<{ status: number; clientId: string }> {
  const response = await keys.open('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ client_name: 'An agent', redirect_uris: ['http://127.0.0.1/callback'] }),
  });
  const { client_id: clientId } = (await response.json()) as { client_id: string };
  return { status: response.status, clientId };
}

/** Registrations of today that nobody connected, the first one the oldest. */
const fill = (network: string, count: number) =>
  superuser.ask(
    `INSERT INTO app_clients (client_id, name, redirect_uris, created_at, expires_at, network)
     SELECT $1 || n, 'x', ARRAY['http://127.0.0.1/'], now() - interval '1 hour' + n * interval '1 ms',
       now() + interval '23 hours', $1 FROM generate_series(1, $2::int) AS n`,
    [network, count],
  );

async function held(network: string): Promise<number> {
  const [row] = await superuser.ask<{ count: number }>(
    'SELECT count(*)::int AS count FROM app_clients WHERE network = $1',
    [network],
  );
  return row!.count;
}

const exists = async (clientId: string) =>
  (await superuser.ask('SELECT client_id FROM app_clients WHERE client_id = $1', [clientId])).length === 1;

describe('app registrations that nobody connects', () => {
  it('of one address close registration for nobody, and end none of another network', async () => {
    const polite = await register('198.51.100.7');
    await fill('203.0.113.0', UNCONNECTED_MAX - 1);
    expect((await register('192.0.2.1')).status).toBe(201);
    expect(await exists(polite.clientId)).toBe(true);
    expect(await held('203.0.113.0')).toBeLessThan(UNCONNECTED_MAX - 1);
    expect((await register('203.0.113.66')).status).toBe(201);
  });

  it('make room where most are held, the oldest first, however many addresses of a network they come from', async () => {
    await fill('203.0.113.0', 6_000);
    await fill('2001:db8:1::', 4_000);
    const { clientId } = await register('2001:db8:1:ffff::1');
    expect(await exists(clientId)).toBe(true);
    expect(await held('2001:db8:1::')).toBe(4_001);
    expect(await exists('203.0.113.01')).toBe(false);
    expect(await exists('203.0.113.06000')).toBe(true);
  });

  it('never exceed the bound of the installation, whoever registers at once', async () => {
    await fill('203.0.113.0', UNCONNECTED_MAX);
    await Promise.all(Array.from({ length: 8 }, (_, n) => register(`198.51.100.${n}`)));
    const [row] = await superuser.ask<{ count: number }>('SELECT count(*)::int AS count FROM app_clients');
    expect(row!.count).toBeLessThanOrEqual(UNCONNECTED_MAX);
    expect(await held('198.51.100.0')).toBe(8);
  });
});
