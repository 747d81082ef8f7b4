import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, processesOf, type RunningCairn, startCairn } from '@cairn/testing';
import type pg from 'pg';
import { api } from './api.ts';
import { databaseOf } from './installation-state.ts';

const SETTLED_MS = 60_000;
const STEPS = ['begin', 'server', 'schema', 'activate'] as const;

let cairn: RunningCairn;
let database: pg.Client;
beforeAll(async () => {
  cairn = await startCairn();
  database = await databaseOf(cairn);
}, 90_000);
afterAll(async () => {
  await database.end().catch(() => undefined);
  await cairn.remove();
});

const call = (method: string, path: string, body?: unknown) =>
  api(cairn.baseUrl, cairn.apiKey, method, `/api/v1${path}`, body);
const settled = (memoryId: string) =>
  eventually(
    () => call('GET', `/memories/${memoryId}`),
    ({ body }) => body.status === 'active' || body.status === 'failed',
    SETTLED_MS,
  );
const newDedicated = async () => (await call('POST', '/memories', { display_name: 'Apart', type: 'dedicated' })).body;
const finds = async (memory_id: string, query: string) => {
  const answer = await call('POST', '/memory/search', { query, memory_id });
  return answer.status === 200 ? answer.body.results.length : answer.status;
};
const holds = async (memory_id: string, word: string) => {
  await call('POST', '/memory/documents', { content: `The ${word} lives in a house of its own.`, memory_id });
  return eventually(
    () => finds(memory_id, word),
    (found) => found === 1,
    SETTLED_MS,
  );
};

/** Postmasters of dedicated memories that run now, by their folder. */
async function postmasters(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await processesOf(cairn.dataDir, cairn.pid)) {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ');
    const engine = /\/postgres .*\/(eng_\w+)\//.exec(command)?.[1];
    if (engine !== undefined) found.push(engine);
  }
  return found.sort();
}
const folders = async () =>
  (await readdir(join(cairn.dataDir, 'engines'), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

/** Makes the transaction that records the end of a step wait, so that a kill can be placed between work and record. */
async function pauseAfter(step: string): Promise<void> {
  await database.query(`
    CREATE OR REPLACE FUNCTION tenancy.pause() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.kind = 'provisionMemory' AND OLD.step = '${step}' AND (TG_OP = 'DELETE' OR NEW.step <> OLD.step) THEN
        PERFORM pg_sleep(2);
      END IF;
      IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
      RETURN NEW;
    END $$`);
  await database.query(
    'CREATE OR REPLACE TRIGGER pause BEFORE UPDATE OR DELETE ON tenancy.jobs FOR EACH ROW EXECUTE FUNCTION tenancy.pause()',
  );
}
const isPaused = async () =>
  (await database.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).rowCount === 1;

/** Kills it, and lets the leases end at once that it held: they would last ten seconds, in which nothing happens. */
async function killTenancy(): Promise<void> {
  const { rows } = await database.query<{ owner: string }>('SELECT owner FROM tenancy.jobs WHERE owner IS NOT NULL');
  await cairn.kill('tenancy');
  await database.query('UPDATE tenancy.jobs SET lease_until = now() WHERE owner = ANY($1)', [
    rows.map(({ owner }) => owner),
  ]);
}

describe('a dedicated memory', () => {
  it('is searchable as a shared one, and its documents are in no other server', async () => {
    const { memory_id, status } = await newDedicated();
    expect(status).toBe('provisioning');
    expect((await settled(memory_id)).body).toMatchObject({ status: 'active', type: 'dedicated' });
    await holds(memory_id, 'wolverine');
    const elsewhere = await database.query("SELECT 1 FROM memory.chunks WHERE body LIKE '%wolverine%'");
    expect(elsewhere.rowCount).toBe(0);
  }, 120_000);

  it.each(STEPS)(
    'is active in the end when tenancy is killed with -9 after the work of step “%s” and before its record',
    async (step) => {
      await pauseAfter(step);
      const { memory_id } = await newDedicated();
      await eventually(isPaused, (paused) => paused, SETTLED_MS);
      await killTenancy();
      await database.query('DROP TRIGGER pause ON tenancy.jobs');
      expect((await settled(memory_id)).body).toMatchObject({ status: 'active' });
      await holds(memory_id, `lynx${step}`);
    },
    120_000,
  );

  it('is active in the end when tenancy is killed again and again while it is made', async () => {
    const { memory_id } = await newDedicated();
    for (const afterMs of [30, 150, 400]) {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await killTenancy();
      await eventually(
        () => call('GET', '/memories'),
        ({ status }) => status === 200,
        SETTLED_MS,
      );
    }
    expect((await settled(memory_id)).body).toMatchObject({ status: 'active' });
    await holds(memory_id, 'marten');
  }, 120_000);

  it('leaves no orphan: as many servers and folders as memories, and one fewer after a deletion', async () => {
    const { memories } = (await call('GET', '/memories')).body;
    const dedicated = memories.filter((memory: { type: string }) => memory.type === 'dedicated');
    expect(dedicated.map((memory: { status: string }) => memory.status)).toEqual(dedicated.map(() => 'active'));
    expect(await folders()).toHaveLength(dedicated.length);
    expect(await postmasters()).toEqual(await folders());
    const gone = dedicated.at(-1).memory_id;
    expect((await call('DELETE', `/memories/${gone}`)).status).toBe(202);
    await eventually(
      () => call('GET', `/memories/${gone}`),
      ({ status }) => status === 404,
      SETTLED_MS,
    );
    expect(await folders()).toHaveLength(dedicated.length - 1);
    expect(await postmasters()).toEqual(await folders());
  }, 120_000);

  it('comes back with a restart, and no server runs while the installation is stopped', async () => {
    const { memories } = (await call('GET', '/memories')).body;
    const { memory_id } = memories.find((memory: { type: string }) => memory.type === 'dedicated');
    await database.end();
    const { dataDir, pid } = cairn;
    await cairn.stop();
    expect(await processesOf(dataDir, pid)).toEqual([]);
    cairn = await startCairn({ dataDir });
    database = await databaseOf(cairn);
    await eventually(
      () => finds(memory_id, 'wolverine'),
      (found) => found === 1,
      SETTLED_MS,
    );
  }, 120_000);
});
