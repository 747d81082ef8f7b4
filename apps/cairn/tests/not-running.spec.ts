import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deletePostgresData, runningPostgresUrl, startPostgres, stopPostgres } from '@cairn/embedded';
import { parseConfig } from '@cairn/service-kit';
import { temporaryFolder } from '@cairn/testing';
import { Command } from 'commander';
import { backUpInstallation } from '../src/backup/back-up-installation.ts';
import { variables } from '../src/config.ts';
import { openDataFolder } from '../src/data-folder.ts';
import { examine } from '../src/doctor/doctor.ts';
import { addEventCommands } from '../src/event-commands.ts';
import type { Settings } from '../src/settings.ts';

let root: string;
let backups: string;
let settings: Settings;
beforeEach(async () => {
  root = await temporaryFolder('cairn-not-running-');
  backups = await temporaryFolder('cairn-not-running-backups-');
  // Where nothing listens: only PostgreSQL could be started.
  const environment = { CAIRN_DATA_DIR: root, NATS_URL: 'nats://127.0.0.1:1' };
  settings = { ...parseConfig(variables, environment), environment: {} };
});
afterEach(async () => {
  await stopPostgres({ dataDir: join(root, 'postgres') });
  await deletePostgresData({ dataDir: join(root, 'postgres') });
  for (const folder of [root, backups]) await rm(folder, { recursive: true, force: true });
});

const log = () => undefined;
const NOT_RUNNING = { check: 'installation', status: 'failed' };

describe('a folder on which no installation runs', () => {
  it('is reported by the doctor and left empty', async () => {
    expect((await examine(settings, {})).at(-1)).toMatchObject(NOT_RUNNING);
    expect(await readdir(root)).toEqual([]);
  });

  it('is refused by a replay of events and left empty', async () => {
    const program = new Command();
    addEventCommands(program, settings, log);
    const replay = program.parseAsync(['events', 'replay', '--since', '2026-11-22T14:00:00Z'], { from: 'user' });
    await expect(replay).rejects.toThrow('No installation runs on');
    expect(await readdir(root)).toEqual([]);
  });

  it('is not backed up when it holds only keys, and gets no cluster', async () => {
    await openDataFolder(root);
    await expect(backUpInstallation(root, backups, log)).rejects.toThrow('holds no cluster');
    expect(await readdir(root)).not.toContain('postgres');
    expect(await readdir(backups)).toEqual([]);
  });

  it('is reported by the doctor after a power loss as well, which starts no server', async () => {
    const folder = await openDataFolder(root);
    const server = await startPostgres({ dataDir: folder.postgres });
    expect(await runningPostgresUrl(folder.postgres)).toBe(server.superuserUrl);
    await server.stop('immediate');
    await writeFile(folder.addressesFile, JSON.stringify({ gateway: 'http://127.0.0.1:1' }));
    expect((await examine(settings, {})).at(-1)).toMatchObject(NOT_RUNNING);
    expect(await runningPostgresUrl(folder.postgres)).toBeNull();
  });
});
