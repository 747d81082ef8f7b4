import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConsole } from '../src/console/read-console.ts';
import { callHttp } from './http-call.ts';
import { MEMORY_DOMAIN, startTestGateway, type TestGateway } from './gateway-harness.ts';

const INDEX = '<!doctype html><title>Cairn</title><script type="module" src="/console/assets/a-1.js"></script>';
const SCRIPT = 'document.title = "a screen";'.repeat(40);
const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

let folder: string;
let gateway: TestGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-console-'));
  await mkdir(join(folder, 'dist', 'assets'), { recursive: true });
  const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
  await write('secret.txt', 'not of the console');
  await write('dist/index.html', INDEX);
  await write('dist/assets/a-1.js', SCRIPT);
  await write('dist/assets/a-1.js.br', brotliCompressSync(SCRIPT));
  await write('dist/assets/a-1.js.gz', gzipSync(SCRIPT));
  await write('dist/assets/plain-2.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  gateway = await startTestGateway({ consoleDir: join(folder, 'dist') });
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (path: string, headers: Record<string, string> = {}) => callHttp(gateway.url, path, { headers });

describe('the console', () => {
  it.each([
    '/console',
    '/console/',
    '/console/documents/doc_1',
    '/console/%2e%2e/secret.txt',
    '/console/../secret.txt',
  ])('%s is the page, under the policy, and asked for again at each visit', async (path) => {
    const answer = await open(path, { accept: HTML });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: INDEX });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = answer.headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types cairn-worker");
    expect(policy).not.toContain('unsafe');
  });

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ])('a client that accepts %s gets a file kept for ever in the encoding %s', async (accepted, encoding, decode) => {
    const answer = await open('/console/assets/a-1.js', { 'accept-encoding': accepted });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(decode(answer.bytes).toString()).toBe(SCRIPT);
  });

  it('serves a file of which no smaller form is kept as it is', async () => {
    const answer = await open('/console/assets/plain-2.svg', { 'accept-encoding': 'br, gzip' });
    expect(answer.headers['content-type']).toBe('image/svg+xml');
    expect(answer.headers['content-encoding']).toBeUndefined();
  });

  it.each(['/console/assets/a-0.js', '/console/assets/a-1.js.br', '/console/assets/%2e%2e/index.html'])(
    '%s is no file of this build, and no page either',
    async (path) => {
      const answer = await open(path);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'not_found' });
    },
  );

  it('is only on the base address, never on the hostname of a memory', async () => {
    gateway.memoryHosts.set('notes', { memoryId: 'mem_1', tenantId: 'tenant_1' });
    for (const path of ['/', '/console', '/console/assets/a-1.js']) {
      const answer = await open(path, { host: `notes.${MEMORY_DOMAIN}`, accept: HTML });
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    }
  });

  it('is where browsers are led from /, and programs are not', async () => {
    const led = await open('/', { accept: HTML });
    expect({ status: led.status, to: led.headers.location }).toEqual({ status: 302, to: '/console' });
    for (const accept of ['*/*', 'application/json']) expect((await open('/', { accept })).status).toBe(404);
  });

  it('accepts nothing but GET and HEAD', async () => {
    expect((await callHttp(gateway.url, '/console', { method: 'HEAD' })).status).toBe(200);
    expect((await callHttp(gateway.url, '/console', { method: 'POST' })).status).toBe(404);
  });

  it('of a folder that holds none does not start, and the folder is named', async () => {
    await expect(readConsole(join(folder, 'nowhere'))).rejects.toThrow(/CAIRN_CONSOLE_DIR.*nowhere/);
    await expect(readConsole(folder)).rejects.toThrow(/holds no index\.html/);
  });
});
