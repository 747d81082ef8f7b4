import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { eventually, type RunningCairn, startCairn } from '@cairn/testing';
import { api } from './api.ts';
import { databaseOf } from './installation-state.ts';
import { type Replica, startReplica } from './more-replicas.ts';
import { type NewTenant, operator } from './operator.ts';

const PROCESSES = 3;
let cairn: RunningCairn;
let gateway: Replica;
let key: string;
beforeAll(async () => {
  cairn = await startCairn();
  // Its keys together make more requests than the plan of the first tenant allows.
  key = (await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Many', '--plan', 'enterprise')).api_key;
  gateway = await startReplica(cairn, 'gateway', {
    CAIRN_GATEWAY_PROCESSES: String(PROCESSES),
    CAIRN_GRPC_LISTEN: `${cairn.hostAddress}:0`,
  });
}, 120_000);
afterAll(async () => {
  await gateway.stop();
  await cairn.remove();
});

async function childrenOf(pid: number): Promise<number[]> {
  const children: number[] = [];
  for (const entry of await readdir('/proc')) {
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
    if (new RegExp(`^PPid:\\s+${pid}$`, 'm').test(status)) children.push(Number(entry));
  }
  return children;
}

async function leases(): Promise<number> {
  const database = await databaseOf(cairn);
  const { rows } = await database.query(
    'SELECT DISTINCT address FROM keys.gateway_leases WHERE expires_at > now() AND NOT fenced',
  );
  await database.end();
  return rows.length;
}

/** The statuses of as many requests, each on a connection of its own, so that every process gets some. */
const spread = (used: string, requests = 60) =>
  Promise.all(
    Array.from({ length: requests }, () =>
      fetch(`${gateway.http}/api/v1/memories`, { headers: { 'x-api-key': used, connection: 'close' } }).then(
        ({ status }) => status,
      ),
    ),
  );

it('each process of a gateway is a member of its own: a key that is deleted is refused by all of them at once', async () => {
  await eventually(leases, (count) => count === PROCESSES + 1);
  for (let round = 0; round < 5; round += 1) {
    const { api_key, key_id } = (await api(cairn.baseUrl, key, 'POST', '/api/v1/api-keys', { name: 'x' })).body;
    expect(new Set(await spread(api_key, 30))).toEqual(new Set([200]));
    expect((await api(gateway.http, key, 'DELETE', `/api/v1/api-keys/${key_id}`)).status).toBe(200);
    expect(new Set(await spread(api_key, 30))).toEqual(new Set([401]));
  }
});

it('a process that is killed is started again, and the others go on', async () => {
  const children = await childrenOf(gateway.process.pid!);
  expect(children).toHaveLength(PROCESSES);
  process.kill(children[0]!, 'SIGKILL');
  await eventually(async () => {
    const now = await childrenOf(gateway.process.pid!);
    return now.length === PROCESSES && !now.includes(children[0]!);
  });
  await eventually(
    () => spread(key, 20),
    (statuses) => {
      return statuses.every((status) => status === 200 || status === 429);
    },
  );
});

it('all end with the first', async () => {
  const children = await childrenOf(gateway.process.pid!);
  gateway.process.kill('SIGTERM');
  await eventually(async () => {
    const alive = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')));
    return alive.every((status) => status === '' || /^State:\s+Z/m.test(status));
  });
});
