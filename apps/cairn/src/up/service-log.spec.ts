import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openServiceLog } from './service-log.ts';

const FILE_MAX_BYTES = 64 * 1_024;
/** What one write of a pipe may add to a file that was just below its bound. */
const CHUNK_MAX_BYTES = 128 * 1_024;
const LINES = 20_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-logs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const oldestFirst = (a: string, b: string) => Number(b.split('.')[2] ?? 0) - Number(a.split('.')[2] ?? 0);

async function logOf(name: string, olderFilesMax: number): Promise<{ files: string[]; lines: string[] }> {
  const printing = `for (let n = 0; n < ${LINES}; n += 1) console.log('line ' + n + ' ' + 'x'.repeat(n % 90));`;
  const child = spawn(process.execPath, ['-e', printing], { stdio: ['ignore', 'pipe', 'pipe'] });
  const failures: Error[] = [];
  const bounds = { fileMaxBytes: FILE_MAX_BYTES, olderFilesMax };
  const log = openServiceLog(join(folder, name), (error) => failures.push(error), bounds);
  log.write(child.stdout);
  log.write(child.stderr);
  await once(child, 'close');
  await log.close();
  expect(failures).toEqual([]);
  const files = (await readdir(folder)).filter((file) => file.startsWith(name)).sort(oldestFirst);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return { files, lines: texts.join('').split('\n').slice(0, -1) };
}

describe('the log of a service', () => {
  it('loses and splits no line where one file takes over from another, while the process writes', async () => {
    const { files, lines } = await logOf('all.log', 100);
    expect(files.length).toBeGreaterThan(3);
    expect(lines).toEqual(Array.from({ length: LINES }, (_, n) => `line ${n} ${'x'.repeat(n % 90)}`));
  });

  it('takes what many processes print, one after the other, and holds on to none of them', async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.message);
    process.on('warning', onWarning);
    const log = openServiceLog(join(folder, 'restarts.log'), (error) => warnings.push(error.message));
    for (let restart = 0; restart < 20; restart += 1) log.write(Readable.from([Buffer.from(`start ${restart}\n`)]));
    await log.close();
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    const lines = (await readFile(join(folder, 'restarts.log'), 'utf8')).split('\n').slice(0, -1);
    expect(lines.toSorted()).toEqual(Array.from({ length: 20 }, (_, n) => `start ${n}`).toSorted());
  });

  it('lets a process go on when its file cannot be written', async () => {
    const failures: Error[] = [];
    const log = openServiceLog(join(folder, 'all.log', 'below-a-file.log'), (error) => failures.push(error));
    const child = spawn(process.execPath, ['-e', `console.log('x'.repeat(4_000_000))`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    log.write(child.stdout);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(failures.length).toBeGreaterThan(0);
  });

  it('is bounded: what is oldest goes, and the rest is there without a gap', async () => {
    const { files, lines } = await logOf('bounded.log', 2);
    expect(files).toEqual(['bounded.log.2', 'bounded.log.1', 'bounded.log']);
    for (const file of files) {
      const { size, mode } = await stat(join(folder, file));
      expect(size).toBeLessThan(FILE_MAX_BYTES + CHUNK_MAX_BYTES);
      expect(mode & 0o777).toBe(0o600);
    }
    const first = Number(lines[0]!.split(' ')[1]);
    expect(first).toBeGreaterThan(0);
    expect(lines.map((line) => Number(line.split(' ')[1]))).toEqual(
      Array.from({ length: LINES - first }, (_, n) => first + n),
    );
  });
});
