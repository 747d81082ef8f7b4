import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deletePostgresData, startPostgres, stopPostgres } from '@cairn/embedded';
import { createDatabase } from '@cairn/postgres';
import { temporaryFolder } from '@cairn/testing';
import { type DataFolder, openDataFolder } from '../src/data-folder.ts';
import { startEngines } from '../src/up/engines.ts';

let root: string;
let folder: DataFolder;
beforeAll(async () => {
  root = await temporaryFolder('cairn-engines-');
  folder = await openDataFolder(join(root, 'data'));
});
afterAll(async () => {
  await stopPostgres({ dataDir: folder.postgres });
  await deletePostgresData({ dataDir: folder.postgres });
  await rm(root, { recursive: true, force: true });
});

async function archiveMode(url: string): Promise<string> {
  const database = createDatabase({ url, applicationName: 'spec', poolMax: 1 });
  try {
    const rows = await database.transaction((tx) => tx.query<{ archive_mode: string }>('SHOW archive_mode'));
    return rows[0]!.archive_mode;
  } finally {
    await database.close();
  }
}

describe('the engines of an installation', () => {
  it('archive the log of a server that was left running without an archive', async () => {
    const left = await startPostgres({ dataDir: folder.postgres });
    expect(await archiveMode(left.superuserUrl)).toBe('off');
    const engines = await startEngines({
      folder,
      // Nothing connects to it.
      natsUrl: 'nats://127.0.0.1:1',
      natsServerPath: undefined,
      cacheDir: undefined,
      walArchiveDir: join(root, 'archive'),
      log: () => undefined,
      onGiveUp: () => undefined,
    });
    try {
      // Port and password are the folder's.
      expect(await archiveMode(left.superuserUrl)).toBe('on');
    } finally {
      await engines.stop();
    }
  });
});
