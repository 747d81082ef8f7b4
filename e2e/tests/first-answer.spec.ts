import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { processesOf, type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import { api } from './api.ts';
import { filesWith } from './inside.ts';

const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, '..', '..', 'apps', 'cairn', 'src', 'main.ts');

let cairn: RunningCairn;
beforeAll(async () => {
  cairn = await startCairn({ args: [] });
}, 90_000);
afterAll(() => cairn.remove());

describe('the first start', () => {
  it('ends in a printed cited answer, and the printed curl line gives the same', async () => {
    const output = cairn.output();
    const answer = /^A {2}(.+)$/m.exec(output)?.[1];
    expect(answer).toMatch(/\[1\]/);
    expect(output).toMatch(/^ {2}\[1\] INC-2031/m);
    const curl = /^curl .+$/m.exec(output)?.[0];
    const { stdout } = await run('sh', ['-c', curl!]);
    expect(JSON.parse(stdout).answer).toBe(answer);
  });

  it('shows the key once, and no log of its own holds it', async () => {
    expect(cairn.output().split(cairn.apiKey)).toHaveLength(2);
    expect(await filesWith(join(cairn.dataDir, 'logs'), cairn.apiKey, /^$/)).toEqual([]);
  });

  it('writes the credentials for their owner only', async () => {
    const file = join(cairn.dataDir, 'credentials.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')))).toEqual(
      expect.arrayContaining(['base_url', 'memory_domain', 'tenant_id', 'api_key', 'console_url']),
    );
  });

  it('refuses a second start on the same folder and says why', async () => {
    const second = await run(process.execPath, [COMMAND, 'up'], {
      env: { PATH: process.env['PATH'], CAIRN_DATA_DIR: cairn.dataDir, CAIRN_PORT: '0' },
    }).catch((error: { code: number; stderr: string }) => error);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('running already') });
  });

  it('refuses a port in use and says by what', async () => {
    const port = new URL(cairn.baseUrl).port;
    const env = { PATH: process.env['PATH'], CAIRN_DATA_DIR: `${cairn.dataDir}-other`, CAIRN_PORT: port };
    const second = await run(process.execPath, [COMMAND, 'up'], { env }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`Port ${port} is in use by .+pid \\d+`)),
    });
  });
});

describe('the command line', () => {
  const cli = (...args: string[]) =>
    run(process.execPath, [COMMAND, ...args], { env: { PATH: process.env['PATH'], CAIRN_DATA_DIR: cairn.dataDir } });

  it('asks and shows the sources', async () => {
    const { stdout } = await cli('ask', 'What does ERR-4711 mean?');
    expect(stdout).toMatch(/ERR-4711 means .+\[1\][^]*\n {2}\[1\] /);
  });

  it('puts files of several kinds into a memory, and says which failed and which it left out', async () => {
    const { body } = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memories', { display_name: 'Files' });
    const folder = await temporaryFolder('cairn-files-');
    await mkdir(join(folder, 'deeper'));
    await writeFile(join(folder, 'note.md'), '# Kite\n\nThe kite festival begins on 3 May.');
    await writeFile(join(folder, 'deeper', 'prices.csv'), 'item,price\nkite,12 EUR\nstring,2 EUR\n');
    await writeFile(join(folder, 'page.html'), '<title>Wind</title><main><p>The wind blows from the west.</p></main>');
    await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7 no');
    await writeFile(join(folder, 'picture.bin'), Buffer.from([0, 1, 2]));
    const ended = await cli('ingest', '--memory', body.memory_id, folder).catch((error: { stdout: string }) => error);
    await rm(folder, { recursive: true });
    expect(ended.stdout).toMatch(
      /^3 documents are searchable, 1 failed\.\n {2}broken\.pdf: .+\n1 files of unsupported types/,
    );
    const { stdout } = await cli('ask', '--memory', body.memory_id, 'What is the price of a kite?');
    expect(stdout).toMatch(/12 EUR.*\[1\]/);
  }, 60_000);

  it('creates a tenant whose key sees nothing of the first', async () => {
    const { stdout } = await cli('tenant', 'create', '--name', 'Other', '--json');
    const other = JSON.parse(stdout) as { api_key: string };
    const answer = await fetch(`${cairn.baseUrl}/api/v1/memory/documents`, { headers: { 'x-api-key': other.api_key } });
    expect(await answer.json()).toEqual({ documents: [] });
  });
});

describe('later starts', () => {
  it('Ctrl-C leaves no process behind, and the data and keys are there at the next start', async () => {
    expect(await cairn.stop()).toBe(0);
    expect(await processesOf(cairn.dataDir, cairn.pid)).toEqual([]);
    const key = cairn.apiKey;
    cairn = await startCairn({ dataDir: cairn.dataDir, args: [] });
    expect(cairn.apiKey).toBe(key);
    expect(cairn.output()).not.toContain('Ingesting the example handbook');
    expect(cairn.output()).not.toContain(key);
    expect(cairn.output()).toContain(`${key.slice(0, 12)}…`);
    const { stdout } = await run('sh', ['-c', /^curl .+$/m.exec(cairn.output())![0]]);
    expect(JSON.parse(stdout).answer).toMatch(/\[1\]/);
    const answer = await fetch(`${cairn.baseUrl}/api/v1/memory/documents`, { headers: { 'x-api-key': key } });
    expect(((await answer.json()) as { documents: unknown[] }).documents).toHaveLength(27);
  }, 60_000);
});
