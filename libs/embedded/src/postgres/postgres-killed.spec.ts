import { jest, afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  asRoot,
  cleanUp,
  killHard,
  newDataFolder,
  processesMentioning,
  query,
  spawnStarter,
  temporaryFolder,
  track,
  PATIENCE_MS,
} from '../../tests/harness.ts';
import { startPostgres, type EmbeddedPostgres, type StartPostgresOptions } from '../index.ts';
import { processIdentity } from '../process/process-identity.ts';
import { postgresAccount } from '../process/server-account.ts';

jest.setTimeout(PATIENCE_MS);

let systemDir: string;

async function start(options: StartPostgresOptions): Promise<EmbeddedPostgres> {
  return track(await startPostgres({ systemDir, ...options }));
}

beforeAll(() => {
  systemDir = temporaryFolder();
});
afterAll(cleanUp);

/** Starts from another process and returns once its initdb has begun to write. */
async function startUntilInitdb(dataDir: string) {
  const starter = await spawnStarter('postgres', { dataDir, systemDir });
  for (;;) {
    const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
    const draft = names.find((name) => existsSync(join(dataDir, name, 'data', 'PG_VERSION')));
    if (draft !== undefined) return { starter, initdb: processesMentioning(join(dataDir, draft)) };
    await sleep(2);
  }
}

describe('kill -9', () => {
  it('of the postmaster while a backend is busy loses no committed row', async () => {
    const dataDir = newDataFolder('data');
    const first = await start({ dataDir });
    await query(first, 'create table t (n int)');
    const busy = new pg.Client({ connectionString: first.superuserUrl });
    busy.on('error', () => {});
    await busy.connect();
    const endless = busy.query('select count(*) from generate_series(1, 1000000000) a').catch(() => {});
    for (let n = 0; n < 50; n++) await query(first, `insert into t values (${n})`);
    await killHard(first.pid);
    expect((await first.exited).code).toBeNull();

    const second = await start({ dataDir });
    expect(second.adopted).toBe(false);
    expect(await query(second, 'select count(*)::int as rows from t')).toEqual([{ rows: 50 }]);
    await endless;
    await second.stop();
  });

  it('of the parent leaves a server that the next start takes over and can stop', async () => {
    const dataDir = newDataFolder('data');
    const starter = await spawnStarter('postgres', { dataDir, systemDir });
    const left = await starter.report;
    await query(left as unknown as EmbeddedPostgres, 'create table t as select 1 as n');
    await killHard(starter.child.pid!);

    const adopted = await start({ dataDir });
    expect(adopted).toMatchObject({ pid: left.pid, port: left.port, superuserUrl: left.superuserUrl, adopted: true });
    expect(await query(adopted, 'select n from t')).toEqual([{ n: 1 }]);
    await adopted.stop();
    expect(await processIdentity(adopted.pid)).toBeNull();
    expect((await adopted.exited).code).toBeNull();
  });

  it('and a stranger who got the pid since: the start works and leaves the stranger alone', async () => {
    const dataDir = newDataFolder('data');
    const first = await start({ dataDir });
    await killHard(first.pid);
    const stranger = await track(
      spawn('sleep', ['60'], { stdio: 'ignore', ...(asRoot ? await postgresAccount() : {}) }),
    );
    const file = join(first.dataDirectory, 'postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, [String(stranger.pid), ...lines.slice(1)].join('\n'));

    const second = await start({ dataDir });
    expect(second.adopted).toBe(false);
    await second.stop();
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    stranger.kill('SIGKILL');
  });

  it('of the parent during initdb leaves a folder that starts', async () => {
    const dataDir = newDataFolder('data');
    const { starter, initdb } = await startUntilInitdb(dataDir);
    await killHard(starter.child.pid!);
    const server = await start({ dataDir });
    expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.stop();
    while (initdb.some((pid) => processesMentioning(dataDir).includes(pid))) await sleep(20);
  });

  it('of initdb leaves a folder that starts', async () => {
    const dataDir = newDataFolder('data');
    const { starter, initdb } = await startUntilInitdb(dataDir);
    for (const pid of initdb) await killHard(pid).catch(() => {});
    expect(await starter.report).toMatchObject({ error: 'init_failed' });
    const server = await start({ dataDir });
    expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.stop();
  });

  it('of the parent at any moment leaves a folder that starts', async () => {
    const dataDir = newDataFolder('data');
    for (const delayMs of [120, 200, 300, 450, 600, 800]) {
      const starter = await spawnStarter('postgres', { dataDir, systemDir });
      starter.report.catch(() => {});
      await sleep(delayMs);
      await killHard(starter.child.pid!);
    }
    const server = await start({ dataDir });
    expect(await query(server, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.stop();
  });
});
