import { execFile } from 'node:child_process';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CAIRN_COMMAND, eventually, type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import { api, ingest } from './api.ts';

const run = promisify(execFile);

let original: RunningCairn;
let restored: RunningCairn | undefined;
let root: string;
beforeAll(async () => {
  root = await temporaryFolder('cairn-backups-');
  // Passable, because as root PostgreSQL runs as another account.
  await chmod(root, 0o755);
  original = await startCairn();
}, 90_000);
afterAll(async () => {
  await restored?.remove();
  await original.remove();
  await rm(root, { recursive: true, force: true });
}, 60_000);

const cairn = (...args: string[]) =>
  run(process.execPath, [CAIRN_COMMAND, ...args], {
    env: { PATH: process.env['PATH'], CAIRN_DATA_DIR: original.dataDir },
  });

describe('an installation that is restored from a backup', () => {
  it('has what the backup had, and revokes and erases again what was revoked and erased since', async () => {
    const call = (method: string, path: string, body?: unknown) =>
      api(original.baseUrl, original.apiKey, method, `/api/v1${path}`, body);
    const key = (await call('POST', '/api-keys', { name: 'revoked later', type: 'live', scopes: ['memories:read'] }))
      .body;
    const memory = (await call('POST', '/memories', { display_name: 'Erased later', type: 'shared' })).body;
    await ingest(original.baseUrl, original.apiKey, [{ content: 'The heron winters beside the frozen weir.' }]);
    await cairn('backup', root);
    await call('DELETE', `/api-keys/${key.key_id}`);
    await call('DELETE', `/memories/${memory.memory_id}`);
    await eventually(
      () => call('GET', `/memories/${memory.memory_id}`),
      ({ status }) => status === 404,
      30_000,
    );

    const into = join(root, 'restored');
    await expect(cairn('restore', root, '--into', into)).rejects.toMatchObject({
      stderr: expect.stringContaining('--accept-lost-revocations'),
    });
    await expect(cairn('restore', root, '--into', into, '--journal-from', original.dataDir)).rejects.toMatchObject({
      stderr: expect.stringContaining('is running; stop it first'),
    });
    await original.stop();
    await cairn('restore', root, '--into', into, '--journal-from', original.dataDir);
    restored = await startCairn({ dataDir: into });
    const ask = (apiKey: string, method: string, path: string, body?: unknown) =>
      api(restored!.baseUrl, apiKey, method, `/api/v1${path}`, body);
    expect(await ask(key.api_key, 'GET', '/memories')).toMatchObject({
      status: 401,
      body: { code: 'credential_revoked' },
    });
    const found = await ask(original.apiKey, 'POST', '/memory/search', { query: 'heron weir' });
    expect(found.body.results).toHaveLength(1);
    await eventually(
      () => ask(original.apiKey, 'GET', `/memories/${memory.memory_id}`),
      ({ status }) => status === 404,
      30_000,
    );
  }, 180_000);
});
