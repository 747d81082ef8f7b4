import { jest, afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp, newDataFolder, query, temporaryFolder, track, PATIENCE_MS } from '../../tests/harness.ts';
import { startArchivedPostgres, startPostgres } from '../index.ts';
import { archiveTimelines, walArchiveSettings } from './wal-archive.ts';

jest.setTimeout(PATIENCE_MS);

const run = promisify(execFile);

let root: string;
let archive: string;
beforeEach(() => {
  root = temporaryFolder();
  archive = join(root, 'archive');
});
afterAll(cleanUp);

describe('a server that is to archive its log', () => {
  it('is started again when it was left running without that, and taken over when it does so already', async () => {
    const options = { dataDir: newDataFolder('data'), systemDir: temporaryFolder() };
    const left = await track(await startPostgres(options));
    const server = await track(await startArchivedPostgres(options, archive));
    expect(server).toMatchObject({ adopted: false, superuserUrl: left.superuserUrl });
    expect(await query(server, 'SHOW archive_mode')).toEqual([{ archive_mode: 'on' }]);
    expect(await startArchivedPostgres(options, archive)).toMatchObject({ adopted: true, pid: server.pid });
    await server.stop();
  });
});

describe('an archive of the write-ahead log', () => {
  const NAME = '000000010000000000000001';

  it('takes a file again that is the same, and never overwrites it by another', async () => {
    const command = (await walArchiveSettings(archive))['archive_command']!;
    const log = join(root, 'log');
    const send = () => run('sh', ['-c', command.replaceAll('%p', log).replaceAll('%f', NAME)]);
    await writeFile(log, 'ours');
    await send();
    await send();
    await writeFile(log, 'of another server');
    await expect(send()).rejects.toThrow();
    expect(await readdir(archive)).toEqual([NAME]);
    expect(await readFile(join(archive, NAME), 'utf8')).toBe('ours');
  });

  it('gets the histories of timelines that it lacks, and refuses a server with others', async () => {
    await walArchiveSettings(archive);
    const wal = join(root, 'pg_wal');
    await mkdir(wal);
    for (const name of ['00000002.history', NAME]) await writeFile(join(wal, name), 'ours');
    await archiveTimelines(root, archive);
    await archiveTimelines(root, archive);
    expect(await readdir(archive)).toEqual(['00000002.history']);
    await writeFile(join(wal, '00000002.history'), 'of another server');
    await expect(archiveTimelines(root, archive)).rejects.toThrow('00000002.history in it is of another server');
    expect(await readFile(join(archive, '00000002.history'), 'utf8')).toBe('ours');
  });
});
