import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, temporaryFolder } from '@cairn/testing';
import { followLog } from './follow-log.ts';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder('cairn-logs-');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('following a log', () => {
  it('prints whole lines as they are written, over rotations, and nothing twice', async () => {
    const file = join(folder, 'keys.log');
    await writeFile(file, 'old\n');
    const lines: string[] = [];
    const ended = new AbortController();
    const following = (async () => {
      for await (const line of followLog(file, 4, ended.signal)) lines.push(line);
    })();
    await appendFile(file, 'one\nhalf a li');
    await eventually(() => lines.length === 1);
    await appendFile(file, 'ne, ünïcode\n');
    await eventually(() => lines.length === 2);
    await appendFile(file, 'last of the first\n');
    await rename(file, `${file}.1`);
    await writeFile(file, 'first of the second\n');
    await eventually(() => lines.length === 4);
    await appendFile(file, `${'x'.repeat(200_000)}\n`);
    await eventually(() => lines.length === 5);
    ended.abort();
    await following;
    expect(lines).toEqual([
      'one',
      'half a line, ünïcode',
      'last of the first',
      'first of the second',
      'x'.repeat(200_000),
    ]);
  });

  it('waits for a file that is not there yet', async () => {
    const file = join(folder, 'later.log');
    const ended = new AbortController();
    const first = followLog(file, 0, ended.signal).next();
    await writeFile(file, 'here\n');
    expect((await first).value).toBe('here');
    ended.abort();
  });
});
