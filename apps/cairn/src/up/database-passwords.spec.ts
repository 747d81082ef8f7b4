import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databasePasswords } from './database-passwords.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-passwords-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('gives each role a password of its own, which stays, in a file for its owner only; a new service gets its own', async () => {
  const file = join(folder, 'passwords.json');
  const first = await databasePasswords(file, ['keys', 'usage']);
  const all = Object.values(first).flatMap((roles) => Object.values(roles));
  expect(all).toHaveLength(6);
  expect(new Set(all).size).toBe(6);
  for (const password of all) expect(password.length).toBeGreaterThanOrEqual(32);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const later = await databasePasswords(file, ['keys', 'usage', 'memory']);
  expect(later).toMatchObject(first);
  expect(Object.keys(later.memory)).toEqual(['owner', 'app', 'worker']);
});
