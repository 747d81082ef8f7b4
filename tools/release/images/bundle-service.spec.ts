import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..', '..');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-bundle-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('the command line runs from its bundle, far from the repository, with every migration beside it', async () => {
  const run = promisify(execFile);
  const out = join(folder, 'cairn');
  await run(process.execPath, [join(ROOT, 'tools/release/images/bundle.ts'), 'cairn', out]);
  const { stdout } = await run(process.execPath, [join(out, 'main.mjs'), '--version'], { cwd: folder, env: {} });
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
  for (const service of ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'])
    expect(existsSync(join(out, 'files/apps', service, 'src/migrate.ts'))).toBe(true);
});
