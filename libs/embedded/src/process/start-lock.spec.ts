import { jest, afterAll, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cleanUp, killHard, temporaryFolder, track, PATIENCE_MS } from '../../tests/harness.ts';
import { processIdentity } from './process-identity.ts';
import { acquireStartLock } from './start-lock.ts';

jest.setTimeout(PATIENCE_MS);

afterAll(cleanUp);

async function spawnHolder(folder: string) {
  const script = fileURLToPath(new URL('../../tests/lock-holder.ts', import.meta.url));
  return track(spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] }));
}

it('never has two holders', async () => {
  const folder = temporaryFolder();
  let holders = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      const lock = await acquireStartLock(folder, 10_000);
      most = Math.max(most, ++holders);
      await sleep(5);
      holders--;
      await lock.release();
    }),
  );
  expect(most).toBe(1);
  expect(readdirSync(folder)).toHaveLength(1);
});

it('refuses after the wait, naming the holder, and passes on once that process was killed with -9', async () => {
  const folder = temporaryFolder();
  const holder = await spawnHolder(folder);
  await once(holder.stdout, 'data');
  await expect(acquireStartLock(folder, 100)).rejects.toMatchObject({
    code: 'data_directory_locked',
    message: expect.stringContaining(`pid ${holder.pid}`),
  });
  await killHard(holder.pid!);
  const lock = await acquireStartLock(folder, 1_000);
  await lock.release();
});

it('goes to exactly one of many processes that find a dead holder', async () => {
  const folder = temporaryFolder();
  const dead = await spawnHolder(folder);
  await once(dead.stdout, 'data');
  await killHard(dead.pid!);
  const rivals = await Promise.all(Array.from({ length: 4 }, () => spawnHolder(folder)));
  let held = 0;
  for (const rival of rivals) rival.stdout.on('data', () => held++);
  await Promise.race(rivals.map((rival) => once(rival.stdout, 'data')));
  // Long enough for the others to be refused many times over.
  await sleep(1_000);
  expect(held).toBe(1);
  for (const rival of rivals) await killHard(rival.pid!);
});

it('is not held by a stranger who was given the pid of a dead holder, nor by a damaged claim', async () => {
  const folder = temporaryFolder();
  const claim = { pid: process.pid, identity: `${await processIdentity(process.pid)}0`, released: false };
  writeFileSync(join(folder, 'start-lock.7'), JSON.stringify(claim));
  await (await acquireStartLock(folder, 0)).release();
  writeFileSync(join(folder, 'start-lock.99'), '{');
  await (await acquireStartLock(folder, 0)).release();
  expect(readdirSync(folder)).toEqual(['start-lock.100']);
});
