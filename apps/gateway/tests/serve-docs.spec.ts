import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { callHttp } from './http-call.ts';
import { MEMORY_DOMAIN, startTestGateway, type TestGateway } from './gateway-harness.ts';

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
const HASH = `sha256-${'A'.repeat(43)}=`;

let folder: string;
let gateway: TestGateway;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-docs-'));
  for (const name of ['assets', 'errors', 'guides/masking'])
    await mkdir(join(folder, 'making', name), { recursive: true });
  const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
  await write('secret.txt', 'not of the documentation');
  await write('making/inline-scripts.json', JSON.stringify([HASH, "sha256-x' 'unsafe-inline"]));
  await write('making/index.html', '<h1>Cairn</h1>');
  await write('making/errors/index.html', '<h1>Errors of the site</h1>');
  await write('making/guides/masking/index.html', '<h1>Masking</h1>');
  await write('making/guides/masking/index.html.gz', gzipSync('<h1>Masking</h1>'));
  await write('making/guides/masking.md', '# Masking');
  await write('making/llms.txt', '# Cairn');
  await write('making/assets/a-1.js', 'a');
  gateway = await startTestGateway({ docsDir: join(folder, 'dist') });
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const open = (path: string, headers: Record<string, string> = {}) => callHttp(gateway.url, path, { headers });

describe('the documentation', () => {
  it('is served as soon as it is made, and until then its errors and its reference are', async () => {
    const missing = await open('/docs', { accept: HTML });
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('not here yet')]);
    expect((await open('/docs/errors')).text).toContain('<section id="not_found">');
    await rename(join(folder, 'making'), join(folder, 'dist'));
    await eventually(
      () => open('/docs', { accept: HTML }),
      ({ status }) => status === 200,
    );
    expect((await open('/docs/errors')).text).toBe('<h1>Errors of the site</h1>');
    expect((await open('/docs/try')).text).toContain('/docs/try/swagger-ui-bundle.js');
  });

  it.each(['/docs/guides/masking', '/docs/guides/masking/'])('has a page at %s, under its policy', async (path) => {
    const answer = await open(path, { 'accept-encoding': 'gzip' });
    expect(gunzipSync(answer.bytes).toString()).toBe('<h1>Masking</h1>');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain(`default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '${HASH}'; style-src`);
    expect(policy.match(/script-src[^;]*/)?.[0]).not.toContain('unsafe-inline');
  });

  it('has every page as Markdown, a list of them for programs, and files that are kept for ever', async () => {
    const twin = await open('/docs/guides/masking.md');
    expect([twin.text, twin.headers['content-type']]).toEqual(['# Masking', 'text/markdown; charset=utf-8']);
    for (const path of ['/llms.txt', '/docs/llms.txt'])
      expect(await open(path)).toMatchObject({
        text: '# Cairn',
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      });
    expect((await open('/docs/assets/a-1.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    '/docs/guides',
    '/docs/index.html',
    '/docs/inline-scripts.json',
    '/docs/assets/a-0.js',
    '/docs/%2e%2e/secret.txt',
    '/docs/guides/masking/index.html.gz',
  ])('%s is an error in the shape of all others', async (path) => {
    const answer = await open(path, { accept: HTML });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  });

  it('is only on the base address, never on the hostname of a memory', async () => {
    gateway.memoryHosts.set('notes', { memoryId: 'mem_1', tenantId: 'tenant_1' });
    for (const path of ['/docs', '/llms.txt', '/docs/assets/a-1.js'])
      expect({ path, status: (await open(path, { host: `notes.${MEMORY_DOMAIN}` })).status }).toEqual({
        path,
        status: 404,
      });
  });
});
