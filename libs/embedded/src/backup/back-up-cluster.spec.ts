import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { backUpCluster } from './back-up-cluster.ts';
import { restoreCluster } from './restore-cluster.ts';
import { startArchivedPostgres } from './start-archived-postgres.ts';
import { type EmbeddedPostgres, startPostgres } from '../postgres/start-postgres.ts';
import { deletePostgresData } from '../postgres/delete-postgres-data.ts';

let root: string;
let dataDir: string;
let restoredDir: string;
let restoredAgainDir: string;
let running: EmbeddedPostgres[];

beforeEach(async () => {
  root = await temporaryRoot();
  dataDir = join(root, 'old');
  restoredDir = join(root, 'new');
  restoredAgainDir = join(root, 'newer');
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.stop('immediate');
  for (const folder of [dataDir, restoredDir, restoredAgainDir]) await deletePostgresData({ dataDir: folder });
  await rm(root, { recursive: true, force: true });
});

/** Passable, because as root PostgreSQL runs as another account. */
async function temporaryRoot(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-backup-'));
  await chmod(folder, 0o755);
  return folder;
}

async function start(folder: string, archive?: string): Promise<EmbeddedPostgres> {
  const options = { dataDir: folder };
  const server = archive === undefined ? await startPostgres(options) : await startArchivedPostgres(options, archive);
  running.push(server);
  return server;
}

async function ask<Row extends object>(server: EmbeddedPostgres, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.superuserUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

const password = async () => (await readFile(join(dataDir, 'superuser-password'), 'utf8')).trim();
const identityOf = async (server: EmbeddedPostgres) =>
  (
    await ask<{ identity: string }>(
      server,
      'SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS identity',
    )
  )[0]!.identity;

describe('a backup of a cluster', () => {
  it('taken while transactions commit holds every one from before it, and none in half', async () => {
    const server = await start(dataDir);
    await ask(server, 'CREATE TABLE pairs (n int, side text)');
    let committed = 0;
    let writing = true;
    const writer = (async () => {
      const client = new pg.Client({ connectionString: server.superuserUrl });
      await client.connect();
      while (writing) {
        committed += 1;
        await client.query(`BEGIN; INSERT INTO pairs VALUES (${committed}, 'a');
          INSERT INTO pairs VALUES (${committed}, repeat('b', 2000)); COMMIT`);
      }
      await client.end();
    })();
    while (committed < 50) await new Promise((resolve) => setTimeout(resolve, 10));
    const before = committed - 1;
    const target = join(root, 'backup');
    const backup = await backUpCluster({ dataDir, target });
    writing = false;
    await writer;
    await restoreCluster({ backup, source: target, superuserPassword: await password(), dataDir: restoredDir });
    const restored = await start(restoredDir);
    const [row] = await ask<{ pairs: number; halves: number; last: number }>(
      restored,
      `SELECT count(*)::int AS pairs, (count(*) FILTER (WHERE sides <> 2))::int AS halves, max(n) AS last
         FROM (SELECT n, count(*) AS sides FROM pairs GROUP BY n) AS each`,
    );
    expect(row!.halves).toBe(0);
    expect(row!.last).toBeGreaterThanOrEqual(before);
    expect(row!.pairs).toBe(row!.last);
    // A timeline of its own, by which services know that they serve a restored database.
    expect(await identityOf(restored)).not.toBe(await identityOf(server));
  });

  it('that is damaged or incomplete is refused, and nothing is left that could be started', async () => {
    const server = await start(dataDir);
    await ask(server, 'CREATE TABLE t AS SELECT 1');
    await server.stop();
    const target = join(root, 'backup');
    const backup = await backUpCluster({ dataDir, target });
    const victim = backup.files.find(({ path }) => path.endsWith('/PG_VERSION'))!;
    await appendFile(join(target, victim.path), 'x');
    const restore = async () =>
      restoreCluster({ backup, source: target, superuserPassword: await password(), dataDir: restoredDir });
    await expect(restore()).rejects.toThrow(`the checksum of ${victim.path}`);
    await rm(join(target, victim.path));
    await expect(restore()).rejects.toThrow(`${victim.path} is missing`);
  });

  it('with archived log is restored to any instant after it', async () => {
    const archive = join(root, 'archive');
    const server = await start(dataDir, archive);
    await ask(server, 'CREATE TABLE t (what text)');
    const target = join(root, 'backup');
    const backup = await backUpCluster({ dataDir, target });
    await ask(server, "INSERT INTO t VALUES ('before')");
    // A target time has milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const [at] = await ask<{ now: Date }>(server, 'SELECT clock_timestamp() AS now');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await ask(server, "INSERT INTO t VALUES ('after')");
    await archiveLog(server);
    const options = { backup, source: target, superuserPassword: await password(), walArchive: archive };
    await restoreCluster({ ...options, dataDir: restoredDir, toTime: at!.now });
    const restored = await start(restoredDir);
    expect(await ask(restored, 'SELECT what FROM t')).toEqual([{ what: 'before' }]);
  });

  it('is restored a second time with what was written after the first', async () => {
    const archive = join(root, 'archive');
    const server = await start(dataDir, archive);
    await ask(server, 'CREATE TABLE t (what text)');
    const target = join(root, 'backup');
    const backup = await backUpCluster({ dataDir, target });
    await ask(server, "INSERT INTO t VALUES ('first life')");
    await archiveLog(server);
    const identities = [await identityOf(server)];
    await server.stop();
    const options = { backup, source: target, superuserPassword: await password(), walArchive: archive };
    await restoreCluster({ ...options, dataDir: restoredDir });
    const restored = await start(restoredDir, archive);
    await ask(restored, "INSERT INTO t VALUES ('second life')");
    await archiveLog(restored);
    identities.push(await identityOf(restored));
    await restored.stop();
    await restoreCluster({ ...options, dataDir: restoredAgainDir });
    const restoredAgain = await start(restoredAgainDir);
    expect(await ask(restoredAgain, 'SELECT what FROM t ORDER BY what')).toEqual([
      { what: 'first life' },
      { what: 'second life' },
    ]);
    expect(identities).not.toContain(await identityOf(restoredAgain));
  });

  it('of a folder without a cluster is refused, and makes none', async () => {
    await mkdir(dataDir);
    await expect(backUpCluster({ dataDir, target: join(root, 'backup') })).rejects.toThrow('holds no cluster');
    expect(await readdir(dataDir)).toEqual([]);
  });
});

/** Finishes the file of the log that is being written, and waits until it is archived. */
async function archiveLog(server: EmbeddedPostgres): Promise<void> {
  const [row] = await ask<{ wal: string }>(server, 'SELECT pg_walfile_name(pg_switch_wal()) AS wal');
  await archived(server, row!.wal);
}

async function archived(server: EmbeddedPostgres, wal: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const [row] = await ask<{ last: string | null }>(server, 'SELECT last_archived_wal AS last FROM pg_stat_archiver');
    if (row!.last !== null && row!.last >= wal) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the log was not archived');
}
