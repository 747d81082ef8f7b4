import { jest, afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asRoot, cleanUp, newDataFolder, query, temporaryFolder, track, PATIENCE_MS } from '../../tests/harness.ts';
import { deletePostgresData, startPostgres, type EmbeddedPostgres, type StartPostgresOptions } from '../index.ts';
import { postgresAccount } from '../process/server-account.ts';

jest.setTimeout(PATIENCE_MS);

const describeAsRoot = asRoot ? describe : describe.skip;
let systemDir: string;

async function start(options: StartPostgresOptions): Promise<EmbeddedPostgres> {
  return track(await startPostgres({ systemDir, ...options }));
}

beforeAll(() => {
  systemDir = temporaryFolder();
});
afterAll(cleanUp);

describeAsRoot('root', () => {
  it("runs PostgreSQL as another user, who has none of root's groups", async () => {
    const dataDir = newDataFolder('data');
    const server = await start({ dataDir });
    expect(server.dataDirectory).toBe(join(dataDir, 'cluster'));
    expect(statSync(`/proc/${server.pid}`).uid).toBe((await postgresAccount()).uid);
    expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Groups:\s*$/m);
    await server.stop();
  });

  it('keeps the cluster elsewhere below a folder of mode 0700, starts empty once the folder is deleted, and deletes both when asked', async () => {
    const home = temporaryFolder(0o700);
    const dataDir = join(home, 'checkout', '.data');
    const link = join(home, 'system');
    symlinkSync(systemDir, link);
    const first = await start({ dataDir, systemDir: link });
    expect((await start({ dataDir })).adopted).toBe(true);
    expect(first.dataDirectory.startsWith(join(systemDir, 'clusters'))).toBe(true);
    expect(statSync(first.dataDirectory).mode & 0o777).toBe(0o700);
    const origin = JSON.parse(readFileSync(join(first.dataDirectory, '..', 'origin.json'), 'utf8'));
    expect(origin).toEqual({ dataDir });
    await query(first, 'create table t as select 1 as n');
    await first.stop();

    const second = await start({ dataDir });
    expect(second.dataDirectory).toBe(first.dataDirectory);
    expect(await query(second, 'select n from t')).toEqual([{ n: 1 }]);
    await second.stop();

    await rm(dataDir, { recursive: true });
    const third = await start({ dataDir });
    expect(third.dataDirectory).not.toBe(first.dataDirectory);
    await expect(query(third, 'select n from t')).rejects.toThrow(/does not exist/);
    await expect(deletePostgresData({ dataDir, systemDir })).rejects.toMatchObject({ code: 'data_directory_locked' });
    await third.stop();
    await deletePostgresData({ dataDir, systemDir });
    expect(existsSync(dataDir)).toBe(false);
    expect(existsSync(join(third.dataDirectory, '..'))).toBe(false);
    await deletePostgresData({ dataDir, systemDir });
  });

  it('refuses a copied data folder whose cluster belongs to the original', async () => {
    const home = temporaryFolder(0o700);
    const first = await start({ dataDir: join(home, 'a') });
    await cp(join(home, 'a'), join(home, 'b'), { recursive: true });
    await expect(startPostgres({ dataDir: join(home, 'b'), systemDir })).rejects.toMatchObject({
      code: 'data_directory_locked',
      message: expect.stringContaining('is a copy of'),
    });
    await first.stop();
  });

  it('explains a cluster that its user cannot reach any more', async () => {
    const dataDir = newDataFolder('data');
    const first = await start({ dataDir });
    await first.stop();
    chmodSync(join(dataDir, '..'), 0o700);
    await expect(startPostgres({ dataDir, systemDir })).rejects.toMatchObject({
      code: 'start_failed',
      hint: expect.stringContaining('chmod o+x'),
    });
  });
});
