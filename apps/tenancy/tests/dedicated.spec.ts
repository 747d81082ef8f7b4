import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineDirectoryService, type MemoryStoreService } from '@cairn/contracts';
import { stopPostgres } from '@cairn/embedded';
import { readKeyRing } from '@cairn/encryption';
import { createLogger, rpcClient, type RpcClient } from '@cairn/service-kit';
import { eventually, temporaryFolder } from '@cairn/testing';
import pg from 'pg';
import { createEmbeddedProvisioner } from '../src/engines/embedded-provisioner.ts';
import { encryptEngineSecret } from '../src/engines/engine-secret.ts';
import { listEngines } from '../src/engines/list-engines.ts';
import { setEngineReplicas } from '../src/engines/set-engine-replicas.ts';
import { superviseEngines } from '../src/engines/supervise-engines.ts';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

const silent = createLogger('spec', 'silent');
let folder: string;
let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  folder = await temporaryFolder('cairn-engines-');
  tenancy = await runTenancy(1, { enginesFolder: folder });
  tenant = await tenancy.makeTenant();
});
afterAll(async () => {
  await tenancy.close();
  for (const engine of await enginesIn(folder))
    await stopPostgres({ dataDir: join(folder, engine), mode: 'immediate' });
  await rm(folder, { recursive: true, force: true });
});

const PROVISION_MS = 60_000;
// The specs of this file together outlast one identity.
const call = (method: string, path: string, body?: unknown) =>
  tenancy.call({ ...tenant.caller, admitUntilMs: Date.now() + 60_000 }, method, `/api/v1${path}`, body);
const enginesIn = async (path: string) =>
  (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map((entry) => entry.name);

const newDedicated = async () => {
  const created = await call('POST', '/memories', { display_name: 'Apart', type: 'dedicated' });
  expect(created).toMatchObject({ status: 201, body: { type: 'dedicated', status: 'provisioning' } });
  const path = `/memories/${created.body['memory_id']}`;
  const settled = await eventually(
    () => call('GET', path),
    ({ body }) => body['status'] !== 'provisioning',
    PROVISION_MS,
  );
  return settled.body as Record<string, string>;
};
const connections = async () => {
  const directory = rpcClient(EngineDirectoryService, tenancy.grpcAddress, tenancy.identities.serviceTokens('memory'));
  try {
    return (await directory.listEngineConnections({})).engines;
  } finally {
    directory.close();
  }
};
const connects = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
};

describe('a dedicated memory', () => {
  it('has a server of its own that no other credentials open, neither the shared one’s nor another memory’s', async () => {
    const [one, two] = [await newDedicated(), await newDedicated()];
    expect([one, two].map((memory) => memory['status'])).toEqual(['active', 'active']);
    const known = await connections();
    expect(known).toHaveLength(2);
    const urls = known.map((engine) => engine.url);
    for (const { url, workerUrl } of known)
      expect([await connects(url), await connects(workerUrl)]).toEqual([true, true]);
    const foreign = [tenancy.database.superuserUrl, tenancy.database.url, tenancy.database.workerUrl, ...urls];
    for (const at of urls) {
      for (const from of foreign.filter((url) => new URL(url).host !== new URL(at).host)) {
        const attempt = new URL(at);
        Object.assign(attempt, { username: new URL(from).username, password: new URL(from).password });
        expect([from.slice(0, 20), await connects(attempt.href)]).toEqual([from.slice(0, 20), false]);
      }
    }
    const asApp = tenancy.database.app.withTenant(tenant.live.tenantId, (tx) =>
      tx.query('SELECT * FROM engine_secrets'),
    );
    await expect(asApp).rejects.toThrow(/permission denied/);
    expect(JSON.stringify(await tenancy.query('SELECT * FROM engines'))).not.toMatch(/postgres(ql)?:\/\//);
    expect(JSON.stringify(await tenancy.query('SELECT * FROM engine_secrets'))).not.toMatch(/postgres(ql)?:\/\//);
  });

  it('has roles none of which opens with the password of another', async () => {
    const [engine] = await connections();
    const [app, worker] = [new URL(engine!.url), new URL(engine!.workerUrl)];
    expect(app.password).not.toBe(worker.password);
    for (const password of [app.password, worker.password]) {
      for (const username of ['memory_owner', 'memory_app', 'memory_worker']) {
        const attempt = Object.assign(new URL(app), { username, password });
        const isOwn = [app, worker].some((url) => url.username === username && url.password === password);
        expect([username, await connects(attempt.href)]).toEqual([username, isOwn]);
      }
    }
  });

  it('of an earlier version, whose roles share a password, gets one for each role at the next start', async () => {
    const [engine] = await connections();
    const provisioner = createEmbeddedProvisioner(folder, silent);
    const { adminUrl } = await provisioner.ensure(engine!.engineId);
    const admin = new pg.Client({ connectionString: adminUrl });
    await admin.connect();
    for (const role of ['owner', 'app', 'worker']) await admin.query(`ALTER ROLE memory_${role} PASSWORD 'shared'`);
    await admin.end();
    const sharing = (url: string) => Object.assign(new URL(url), { password: 'shared' }).href;
    const roles = { url: sharing(engine!.url), workerUrl: sharing(engine!.workerUrl) };
    const keyRing = await readKeyRing(tenancy.identities.keyEncryptionKeysFile);
    const sealed = await encryptEngineSecret(keyRing, engine!.engineId, { password: 'shared', roles });
    const workerDatabase = tenancy.database.worker;
    await workerDatabase.transaction((tx) =>
      tx.execute('UPDATE engine_secrets SET sealed = $2 WHERE engine_id = $1', [engine!.engineId, sealed]),
    );
    const memoryStore = { prepareEngine: async () => ({}) } as unknown as RpcClient<typeof MemoryStoreService>;
    const watching = superviseEngines({ workerDatabase, keyRing, memoryStore, provisioner, logger: silent });
    const repaired = await eventually(
      async () => (await connections()).find(({ engineId }) => engineId === engine!.engineId)!,
      ({ url, workerUrl }) => ![url, workerUrl].some((each) => each.includes(':shared@')),
      PROVISION_MS,
    );
    await watching.close();
    expect([await connects(repaired.url), await connects(repaired.workerUrl)]).toEqual([true, true]);
    const owner = Object.assign(new URL(repaired.url), { username: 'memory_owner', password: 'shared' });
    expect(await connects(owner.href)).toBe(false);
  });

  it('has the replicas that the operator names, called with the credentials of the engine and encrypted with them', async () => {
    const [before] = await connections();
    const engineId = before!.engineId;
    const deps = {
      workerDatabase: tenancy.database.worker,
      keyRing: await readKeyRing(tenancy.identities.keyEncryptionKeysFile),
    };
    const set = (...replicas: string[]) => setEngineReplicas(deps, { engineId, replicas });
    await set('r1.example:5433?sslmode=verify-full', 'postgres://r2.example');
    const [named] = await connections();
    const { username, password, pathname } = new URL(before!.url);
    const at = (host: string) => `postgres://${username}:${password}@${host}${pathname}`;
    expect(named!.replicaUrls).toEqual([`${at('r1.example:5433')}?sslmode=verify-full`, at('r2.example')]);
    expect(named!.revision).toBe(before!.revision + 1n);
    expect((await listEngines(deps)).find((engine) => engine.engine_id === engineId)!.replicas).toEqual([
      'r1.example:5433',
      'r2.example',
    ]);
    for (const wrong of ['user:secret@r1.example', 'r1.example/database', 'r1.example:port', ''])
      await expect(set(wrong)).rejects.toMatchObject({ code: 'validation_failed' });
    await set();
    expect((await connections())[0]!.replicaUrls).toEqual([]);
  });

  it('gets its server back after it was killed, and everybody is told where it is now', async () => {
    const before = (await connections())[0]!;
    await stopPostgres({ dataDir: join(folder, before.engineId), mode: 'immediate' });
    await eventually(
      async () => connects((await connections()).find((engine) => engine.engineId === before.engineId)!.url),
      (reachable) => reachable,
      PROVISION_MS,
    );
  });

  it('leaves neither process nor folder behind when it is deleted', async () => {
    const memory = await newDedicated();
    const engines = await enginesIn(folder);
    await call('DELETE', `/memories/${memory['memory_id']}`);
    await eventually(
      () => call('GET', `/memories/${memory['memory_id']}`),
      ({ status }) => status === 404,
      PROVISION_MS,
    );
    expect(await enginesIn(folder)).toHaveLength(engines.length - 1);
    expect(await connections()).toHaveLength(engines.length - 1);
  });

  it('that cannot be made ready is failed with a reason, without process or folder, and can be deleted', async () => {
    const engines = await enginesIn(folder);
    tenancy.refused.add('prepareEngine');
    const memory = await newDedicated();
    tenancy.refused.clear();
    expect(memory).toMatchObject({
      status: 'failed',
      status_reason: expect.stringContaining('could not be made ready'),
    });
    expect((await enginesIn(folder)).sort()).toEqual(engines.sort());
    expect(await tenancy.query('SELECT 1 FROM engines WHERE name = $1', [memory['memory_id']])).toEqual([]);
    expect((await call('DELETE', `/memories/${memory['memory_id']}`)).status).toBe(202);
    await eventually(
      () => call('GET', `/memories/${memory['memory_id']}`),
      ({ status }) => status === 404,
      PROVISION_MS,
    );
  }, 90_000);

  it('that is deleted while it is made leaves nothing either', async () => {
    const engines = await enginesIn(folder);
    const created = await call('POST', '/memories', { display_name: 'Never', type: 'dedicated' });
    const path = `/memories/${created.body['memory_id']}`;
    expect((await call('DELETE', path)).status).toBe(202);
    await eventually(
      () => call('GET', path),
      ({ status }) => status === 404,
      PROVISION_MS,
    );
    expect((await enginesIn(folder)).sort()).toEqual(engines.sort());
  });
});
