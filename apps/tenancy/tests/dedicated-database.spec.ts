import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EngineDirectoryService } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import pg from 'pg';
import { MIGRATIONS } from '../src/migrate.ts';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

/** Only tells where the server is. */
let server: TestDatabase;
let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  server = await createTestDatabase({ service: 'tenancy', migrations: MIGRATIONS });
  tenancy = await runTenancy(1, { dedicatedEngineUrl: server.superuserUrl });
  tenant = await tenancy.makeTenant();
});
afterAll(async () => {
  await tenancy.close();
  await server.close();
});

const call = (method: string, path: string, body?: unknown) =>
  tenancy.call(tenant.caller, method, `/api/v1${path}`, body);

async function newDedicated(): Promise<Record<string, unknown>> {
  const created = await call('POST', '/memories', { display_name: 'Apart', type: 'dedicated' });
  const settled = await eventually(
    () => call('GET', `/memories/${created.body['memory_id']}`),
    ({ body }) => body['status'] !== 'provisioning',
  );
  return settled.body;
}

async function connections() {
  const directory = rpcClient(EngineDirectoryService, tenancy.grpcAddress, tenancy.identities.serviceTokens('memory'));
  const { engines } = await directory.listEngineConnections({}).finally(() => directory.close());
  return engines;
}

const connects = (url: string) => {
  const client = new pg.Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
};

const leftOf = (engineId: string) =>
  tenancy.query(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1) UNION ALL SELECT rolname FROM pg_roles WHERE starts_with(rolname, $2)',
    [`cairn_${engineId}`, engineId],
  );

describe('a dedicated memory on a server of the operator', () => {
  it('has a database that only its own roles may connect to, and leaves nothing behind when it is deleted', async () => {
    const [one, two] = [await newDedicated(), await newDedicated()];
    expect([one['status'], two['status']]).toEqual(['active', 'active']);
    const [first, second] = await connections();
    for (const url of [first!.url, first!.workerUrl, second!.url, second!.workerUrl])
      expect(await connects(url)).toBe(true);
    for (const from of [second!.url, second!.workerUrl, server.url, server.workerUrl, server.ownerUrl]) {
      const attempt = new URL(first!.url);
      Object.assign(attempt, { username: new URL(from).username, password: new URL(from).password });
      expect(await connects(attempt.href)).toBe(false);
    }
    for (const memory of [one, two])
      expect((await call('DELETE', `/memories/${memory['memory_id']}`)).status).toBe(202);
    for (const { engineId } of [first!, second!]) await eventually(async () => (await leftOf(engineId)).length === 0);
  }, 60_000);
});
