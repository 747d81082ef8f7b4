import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@cairn/sdk/webhooks';
import { CAIRN_COMMAND, processesOf, type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import { filesWith } from './installation-state.ts';
import type { NewTenant } from './operator.ts';

const run = promisify(execFile);

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

  it('runs the bundled services and has the console', async () => {
    expect(cairn.output()).not.toMatch(/could not be (built|bundled)/);
    const bundled: string[] = [];
    for (const pid of await cairn.processes()) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const service = /apps-(\w+)-src-main\.mjs/.exec(command)?.[1];
      if (service !== undefined) bundled.push(service);
    }
    expect(bundled.toSorted()).toEqual(['gateway', 'keys', 'memory', 'research', 'tenancy', 'usage', 'webhooks']);
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
    const second = await run(process.execPath, [CAIRN_COMMAND, 'up'], {
      env: { PATH: process.env['PATH'], CAIRN_DATA_DIR: cairn.dataDir, CAIRN_PORT: '0' },
    }).catch((error: { code: number; stderr: string }) => error);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('running already') });
  });

  it('refuses a port in use and says by what', async () => {
    const port = new URL(cairn.baseUrl).port;
    const env = { PATH: process.env['PATH'], CAIRN_DATA_DIR: `${cairn.dataDir}-other`, CAIRN_PORT: port };
    const second = await run(process.execPath, [CAIRN_COMMAND, 'up'], { env }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`Port ${port} is in use by .+pid \\d+`)),
    });
  });
});

describe('the command line', () => {
  let home: string;
  beforeAll(async () => {
    home = await temporaryFolder('cairn-home-');
  });
  afterAll(() => rm(home, { recursive: true }));

  /** The exit code, and what stood on both streams. */
  const cli = (
    args: readonly string[],
    { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
  ) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [CAIRN_COMMAND, ...args],
        { env: { PATH: process.env['PATH'], HOME: home, CAIRN_DATA_DIR: cairn.dataDir, ...env } },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
      child.stdin!.end(input);
    });
  const json = async <T = Record<string, unknown>>(...args: string[]) => {
    const { code, stdout, stderr } = await cli([...args, '--json']);
    if (code !== 0) throw new Error(`cairn ${args.join(' ')}: ${code}\n${stderr}`);
    return JSON.parse(stdout) as T;
  };

  it('alone shows help and is done, and says its version', async () => {
    expect(await cli([])).toMatchObject({ code: 0, stdout: expect.stringContaining('ask'), stderr: '' });
    expect(await cli(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('shows of each source the title, the path and the quote, how sure it is and who wrote the answer', async () => {
    const { code, stdout } = await cli(['ask', 'What does ERR-4711 mean?']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ERR-4711 means .+\[1\]/);
    expect(stdout).toMatch(/\n {2}\[1\] .+\(.+\.md\)\n {6}“.+”\n/);
    expect(stdout).toMatch(/\nConfidence [01]\.\d\d; sentences of the sources, not written by a model/);
    const answer = await json<{ citations: unknown[]; generated: boolean }>('ask', 'What does ERR-4711 mean?');
    expect(answer).toMatchObject({ generated: false, citations: expect.arrayContaining([expect.anything()]) });
  });

  it('shows how two names are connected, with the sentences of each step', async () => {
    const { code, stdout } = await cli(['graph', 'path', 'Bram Oosterling', 'Pêcheries Kervalec']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Bram Oosterling \(person\)\n {2}\S.+ \[.+\]\n[^]+\nPêcheries Kervalec \(organisation\)\n$/,
    );
    const unknown = await cli(['graph', 'path', 'Bram Oosterling', 'Nobody At All']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('is called “Nobody At All”') });
  });

  it('puts files of any kind into a memory by their content, and names those that fail or are left out', async () => {
    const { memory_id } = await json<{ memory_id: string }>('memories', 'create', 'Files');
    const folder = await temporaryFolder('cairn-files-');
    await mkdir(join(folder, 'deeper'));
    await writeFile(join(folder, 'note.md'), '# Kite\n\nThe kite festival begins on 3 May.');
    await writeFile(join(folder, 'deeper', 'prices.csv'), 'item,price\nkite,12 EUR\nstring,2 EUR\n');
    await writeFile(join(folder, 'page.html'), '<title>Wind</title><main><p>The wind blows from the west.</p></main>');
    await writeFile(join(folder, 'service.yaml'), 'kite_colour: turquoise\n');
    await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7 no');
    await writeFile(join(folder, 'picture.bin'), Buffer.from([0, 1, 2]));
    const ended = await cli(['ingest', '--memory', memory_id, folder]);
    expect(ended).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^4 documents are searchable, 1 failed, 1 left out\.\n {2}.+broken\.pdf: .+\n$/),
      stderr: expect.stringMatching(/“cairn add” now\.\n.*left out: .+picture\.bin is neither text/),
    });
    const nothing = await cli(['add', '--memory', memory_id, join(folder, 'picture.bin')]);
    expect(nothing).toMatchObject({ code: 1, stdout: '0 documents are searchable, 1 left out.\n' });
    const missing = await cli(['add', join(folder, 'nowhere')]);
    expect(missing).toMatchObject({ code: 1, stderr: `cairn: ${join(folder, 'nowhere')} does not exist.\n` });
    await rm(folder, { recursive: true });
    expect((await cli(['ask', '--memory', memory_id, 'What is the price of a kite?'])).stdout).toMatch(/12 EUR.*\[1\]/);
    const target = join(cairn.dataDir, 'exported');
    const exported = await json<{ files: { file: string; lines?: number }[] }>('export', '--memory', memory_id, target);
    expect(exported.files.map(({ file }) => file)).toEqual(['documents.jsonl', 'graph.jsonl', 'threads.jsonl']);
    const written = await readFile(join(target, 'documents.jsonl'), 'utf8');
    expect(written.trimEnd().split('\n')).toHaveLength(exported.files[0]!.lines! + 1);
    expect(written).toContain('12 EUR');
    expect(await cli(['export', '--memory', memory_id, target])).toMatchObject({ code: 2 });
    const documents = await json<{ doc_id: string }[]>(
      'documents',
      'list',
      '--status',
      'completed',
      '--memory',
      memory_id,
    );
    expect(documents).toHaveLength(4);
    const docId = documents[0]!.doc_id;
    expect(await json('documents', 'get', docId, '--memory', memory_id)).toMatchObject({ doc_id: docId });
    expect(await cli(['documents', 'delete', docId, '--memory', memory_id])).toMatchObject({ code: 0 });
    expect(await cli(['documents', 'get', docId, '--memory', memory_id])).toMatchObject({ code: 4 });
    const cut = await cli(['documents', 'list', '--limit', '1', '--memory', memory_id]);
    expect(cut).toMatchObject({ code: 0, stderr: expect.stringContaining('more than these 1') });
    expect(await cli(['memories', 'delete', memory_id])).toMatchObject({ code: 2 });
    expect(await cli(['memories', 'delete', memory_id, '--yes'])).toMatchObject({ code: 0 });
  }, 60_000);

  it('keeps a key that was seen to be valid as a context, for its owner only, and shows none of it', async () => {
    const { api_key, key_id } = await json<{ api_key: string; key_id: string }>('keys', 'create', 'Laptop');
    const at = ['--base-url', cairn.baseUrl];
    expect(await cli(['login', 'here', ...at], { input: 'ck_live_nonsense000000000000' })).toMatchObject({ code: 3 });
    const done = await cli(['login', 'here', ...at], { input: `${api_key}\n` });
    expect(done.code).toBe(0);
    expect(done.stdout + done.stderr).not.toContain(api_key);
    const file = join(home, '.config', 'cairn', 'contexts.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await json('whoami')).toMatchObject({ credential: { id: key_id } });
    expect(await json('context', 'list')).toMatchObject([{ name: 'here', current: true }]);
    expect((await cli(['context', 'list'])).stdout).not.toContain(api_key);
    expect(await cli(['context', 'use', 'there'])).toMatchObject({ code: 2 });
    expect(await cli(['context', 'use', 'here'])).toMatchObject({ code: 0 });
    const revoked = await cli(['keys', 'revoke', key_id], { env: { CAIRN_API_KEY: cairn.apiKey } });
    expect(revoked).toMatchObject({ code: 0 });
    expect(await cli(['whoami'])).toMatchObject({ code: 3, stdout: '' });
    expect(await cli(['context', 'remove', 'here'])).toMatchObject({ code: 0 });
    expect((await json<{ key_id: string }[]>('keys', 'list')).map((key) => key.key_id)).toContain(key_id);
  }, 60_000);

  it('starts, follows, lists and stops runs, and exports lists', async () => {
    const started = await json<{ thread_id: string }>(
      'runs',
      'start',
      'research',
      'What',
      'changed',
      'after',
      'the outage?',
    );
    const followed = await cli(['runs', 'follow', started.thread_id]);
    expect(followed).toMatchObject({ code: 0, stdout: expect.stringMatching(/run\.queued[^]+run\.completed/) });
    expect(await json('runs', 'list')).toMatchObject([{ thread_id: started.thread_id, status: 'completed' }]);
    expect(await cli(['runs', 'stop', 'nonsense'])).toMatchObject({ code: 4, stdout: '' });
    expect(await cli(['runs', 'start', 'sailing', 'x'])).toMatchObject({ code: 2 });
    const people = await json<{ thread_id: string }>(
      'runs',
      'start',
      'people',
      'people on call',
      '--data',
      '{"config":{"sources":["memory"]}}',
    );
    await cli(['runs', 'follow', people.thread_id]);
    const [list] = await json<{ id: string }[]>('lists', 'list');
    expect((await cli(['lists', 'export', list!.id])).stdout).toMatch(/^\S*,/);
  }, 90_000);

  it('reaches every operation by name and by path', async () => {
    const { documents } = await json<{ documents: unknown[] }>('call', 'listDocuments', '--limit', '2');
    expect(documents).toHaveLength(2);
    expect(await json('call', 'usage.limits')).toMatchObject({ plan: expect.any(String) });
    const memories = await cli(['api', 'GET', '/memories']);
    expect(JSON.parse(memories.stdout)).toMatchObject({ memories: expect.any(Array) });
    const space = await cli(['api', 'POST', '/spaces', '--data', '-'], { input: '{"name":"Cellar"}' });
    expect(JSON.parse(space.stdout)).toMatchObject({ name: 'Cellar' });
    expect(await json('spaces', 'list')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ name: 'Cellar' })]),
    );
    expect(await json('spaces', 'create', 'Attic')).toMatchObject({ name: 'Attic' });
    expect(await json('webhooks', 'list')).toEqual([]);
    expect(await json('webhooks', 'deliveries', '--state', 'dead_lettered')).toEqual([]);
    expect(await cli(['webhooks', 'replay', 'whk_nothing'])).toMatchObject({ code: 4, stdout: '' });
    expect(await json('usage')).toMatchObject({ limits: expect.any(Array) });
    expect(await json('memories', 'list')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ type: 'shared' })]),
    );
  }, 60_000);

  it('prints events as they happen, and posts them signed to an address of this machine', async () => {
    const received: { body: string; headers: IncomingHttpHeaders }[] = [];
    const receiver = createServer((request, response) => {
      void textFrom(request).then((body) => {
        received.push({ body, headers: request.headers });
        response.end();
      });
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const [secret, note] = [join(home, 'secret'), join(home, 'note.md')];
    await writeFile(secret, `whsec_${Buffer.from('of the test, long enough').toString('base64')}\n`);
    const { memory_id } = await json<{ memory_id: string }>('memories', 'create', 'Ears');
    const at = ['--memory', memory_id, '--types', 'memory.ingest.completed', '--count', '1'];
    const forward = ['--forward', `http://127.0.0.1:${port}/hook`, '--secret-file', secret];
    let ended = false;
    const listening = cli(['webhooks', 'listen', ...at, ...forward, '--json']).finally(() => (ended = true));
    // Each time under another name: it listens from when it is connected on.
    for (let n = 0; n < 10 && !ended; n += 1) {
      await writeFile(`${note}.${n}`, `The harbour opens at ${n}.`);
      await cli(['add', '--memory', memory_id, `${note}.${n}`]);
    }
    const { code, stdout } = await listening;
    receiver.close();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ event: 'memory.ingest.completed', scope: { memory_id } });
    expect(received).toHaveLength(1);
    const { body, headers } = received[0]!;
    expect(body).toBe(stdout.trimEnd());
    const verified = await verifyWebhook({ rawBody: body, headers }, (await readFile(secret, 'utf8')).trim());
    expect(verified.event).toBe('memory.ingest.completed');
    expect(await cli(['webhooks', 'listen', '--forward', 'http://hooks.example/'])).toMatchObject({ code: 2 });
    await cli(['memories', 'delete', memory_id, '--yes']);
  }, 60_000);

  it('ends with the code that says what is wrong, with words about it on standard error', async () => {
    const cases: [number, string[], Record<string, string>?][] = [
      [1, ['whoami'], { CAIRN_BASE_URL: 'http://127.0.0.1:9', CAIRN_API_KEY: cairn.apiKey }],
      [2, ['sail']],
      [2, ['documents', 'list', '--limit', 'many']],
      [3, ['whoami'], { CAIRN_BASE_URL: cairn.baseUrl, CAIRN_API_KEY: `${cairn.apiKey}x` }],
      [4, ['call', 'getMemory', 'mem_01hzzzzzzzzzzzzzzzzzzzzzzz']],
    ];
    for (const [code, args, env = {}] of cases) {
      const ended = await cli(args, { env });
      expect({ args, ...ended }).toMatchObject({
        args,
        code,
        stdout: '',
        stderr: expect.stringMatching(/^(?:cairn|error): /),
      });
    }
  }, 30_000);

  it('ends with 5 when the plan allows no more', async () => {
    const { api_key } = await json<{ api_key: string }>(
      'operator',
      'tenant',
      'create',
      '--name',
      'Small',
      '--plan',
      'free',
    );
    const env = { CAIRN_BASE_URL: cairn.baseUrl, CAIRN_API_KEY: api_key };
    const { stdout } = await cli(['usage', '--json'], { env });
    const { limits } = JSON.parse(stdout) as { limits: { resource: string; limit: number; used: number }[] };
    const { limit, used } = limits.find(({ resource }) => resource === 'memories')!;
    for (let n = used; n < limit; n += 1)
      expect(await cli(['memories', 'create', `Store ${n}`], { env })).toMatchObject({ code: 0 });
    expect(await cli(['memories', 'create', 'One more'], { env })).toMatchObject({ code: 5, stdout: '' });
  }, 60_000);

  it('says what of the installation runs, and prints its logs', async () => {
    expect(await json('status')).toMatchObject({ running: true });
    expect((await cli(['logs', 'keys', '--lines', '1'])).stdout).toMatch(/^keys: .+\n$/);
    const stopped = await cli(['status'], { env: { CAIRN_DATA_DIR: home } });
    expect(stopped).toMatchObject({ code: 1, stdout: expect.stringContaining('No installation runs') });
  });

  it('creates a tenant whose key sees nothing of the first, and a further key when all have been revoked', async () => {
    const other = await json<NewTenant>('operator', 'tenant', 'create', '--name', 'Other');
    const answer = await fetch(`${cairn.baseUrl}/api/v1/memory/documents`, { headers: { 'x-api-key': other.api_key } });
    expect(await answer.json()).toEqual({ documents: [] });
    const as = (key: string) => ({ env: { CAIRN_BASE_URL: cairn.baseUrl, CAIRN_API_KEY: key } });
    const below = await cli(['keys', 'create', 'below', '--json'], as(other.api_key));
    const { credential } = JSON.parse((await cli(['whoami', '--json'], as(other.api_key))).stdout);
    expect(await cli(['keys', 'revoke', credential.id, '--descendants'], as(other.api_key))).toMatchObject({ code: 0 });
    for (const key of [other.api_key, JSON.parse(below.stdout).api_key])
      expect(await cli(['whoami'], as(key))).toMatchObject({ code: 3 });
    const further = await json<{ api_key: string }>('operator', 'tenant', 'key', other.tenant_id);
    const { stdout } = await cli(['whoami', '--json'], as(further.api_key));
    expect(JSON.parse(stdout)).toMatchObject({ tenant: { tenant_id: other.tenant_id }, credential: { kind: 'live' } });
  }, 60_000);
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
