import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { ingestDocuments } from '@cairn/contracts';
import { createRequestVerifier, createTokenVerifier, requestKeysOf } from '@cairn/identity';
import { createTestIdentities, type TestIdentities, testIdentity } from '@cairn/testing';
import pino from 'pino';
import { createTenantShares } from '../src/bodies/tenant-shares.ts';
import { handle, createLargeBodies, type HttpListener, listenHttp, operationsApp } from '../src/index.ts';

const PATH = ingestDocuments.path;
const MIB = 1_048_576;

let identities: TestIdentities;
let http: HttpListener;
const largeBodies = createLargeBodies();
/** What the handler was called with, and in which order requests were finished. */
const handled: unknown[] = [];

beforeAll(async () => {
  identities = await createTestIdentities();
  const { keys } = JSON.parse(await readFile(identities.jwksFile, 'utf8')) as { keys: [] };
  const { keys: requestKeys } = JSON.parse(await readFile(identities.requestKeysFile, 'utf8')) as { keys: [] };
  const app = operationsApp({
    operations: [
      handle(ingestDocuments, async ({ body }) => {
        handled.push(body);
        return { body: { documents: [] } };
      }),
    ],
    requests: createRequestVerifier({
      service: 'memory',
      keys: requestKeysOf(requestKeys, 'memory'),
      tokens: await createTokenVerifier(keys),
    }),
    logger: pino({ level: 'silent' }),
    ready: async () => undefined,
    largeBodies,
    changes: { record: (_change, work) => work() },
  });
  http = await listenHttp(app, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await http.close();
  await largeBodies.close();
  await identities.remove();
});

const tenant = testIdentity();
const other = testIdentity();

async function post(body: string | Buffer, as = tenant, headers: Record<string, string> = {}) {
  const response = await identities.fetchAs(as, 'memory')(http.url + PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, bytes: Buffer.byteLength(text), body: JSON.parse(text) as Record<string, unknown> };
}

const documents = (count: number, content: string) =>
  Array.from({ length: count }, (_, n) => ({ content, external_id: `doc-${n}`, metadata: { n, tags: ['a', 'b'] } }));
/** So many that differ: what repeats itself too much is not inflated. */
const words = (count: number) => Array.from({ length: count }, (_, n) => `ferry${n * 7_919} 🛳`).join(' ');
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join(',');

describe('a body of megabytes', () => {
  it('is handled as a small one is: with its defaults, texts and numbers', async () => {
    const sent = { documents: documents(100, `Größe ${words(4_000)}`) };
    const json = JSON.stringify(sent);
    expect(Buffer.byteLength(json)).toBeGreaterThan(5 * MIB);
    expect((await post(json)).status).toBe(202);
    expect(handled.at(-1)).toEqual(sent);
    expect((await post(gzipSync(json), tenant, { 'content-encoding': 'gzip' })).status).toBe(202);
    expect(handled.at(-1)).toEqual(sent);
  });

  it('with many small values is handled as well', async () => {
    const sent = { documents: documents(100, 'x').map((one) => ({ ...one, metadata: valuesOf(60) })) };
    const json = JSON.stringify(sent);
    expect(Buffer.byteLength(json)).toBeLessThan(256 * 1_024);
    expect((await post(json)).status).toBe(202);
    expect(handled.at(-1)).toEqual(sent);
  });

  it('holds up nobody: what another tenant sends after it is answered before it', async () => {
    const finished: string[] = [];
    const large = JSON.stringify({ documents: documents(100, 'ferry '.repeat(13_000)) });
    const arrived = handled.length;
    const sending = post(large).then(({ status }) => finished.push(`large ${status}`));
    // While the large one is on its way and in a worker, small ones come and go.
    while (handled.length === arrived && finished.length < 5) {
      const { status } = await post('{"content":"small"}', other);
      finished.push(`small ${status}`);
    }
    await sending;
    expect(finished.at(-1)).toBe('large 202');
    expect(new Set(finished.slice(0, -1))).toEqual(new Set(['small 202']));
  });

  it.each<[string, string]>([
    ['600,000 keys of metadata', `{"content":"x","metadata":{${numbered(600_000)}}}`],
    ['600,000 unknown fields', `{"content":"x",${numbered(600_000)}}`],
    ['2,000,000 items', `{"documents":[${'1,'.repeat(2_000_000)}1]}`],
    ['2,000,000 lists in one another', `{"documents":${'['.repeat(2e6)}${']'.repeat(2e6)}}`],
    ['a text that is too long for its field', JSON.stringify({ content: 'x', title: 't'.repeat(4 * MIB) })],
  ])('and %s is refused in few words, packed or not', async (_what, json) => {
    const before = handled.length;
    expect(await post(json, testIdentity({ tenantId: 'ten_unpacked' }))).toMatchObject({ status: 422 });
    for (const [body, headers] of [
      [json, {}],
      [gzipSync(json), { 'content-encoding': 'gzip' }],
    ] as const) {
      const refused = await post(body as string, tenant, headers as Record<string, string>);
      expect([413, 422]).toContain(refused.status);
      expect(((refused.body['errors'] ?? []) as unknown[]).length).toBeLessThanOrEqual(20);
      expect(refused.bytes).toBeLessThanOrEqual(16_384);
    }
    expect(handled).toHaveLength(before);
  });

  it('that is torn is malformed JSON', async () => {
    expect(await post(`{"content":"${'x'.repeat(MIB)}`)).toMatchObject({
      status: 400,
      body: { code: 'malformed_json' },
    });
  });
});

describe('more large bodies than there is memory for', () => {
  it('are refused with Retry-After to the tenant that holds as much as is left, until one is done', () => {
    const memory = createTenantShares(100, 'too many');
    const first = memory.reserve('a', 30);
    memory.reserve('a', 20);
    expect(() => memory.reserve('a', 1)).toThrow(
      expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 }),
    );
    memory.reserve('b', 20);
    expect(() => memory.reserve('b', 10)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
    first();
    // What is given back twice counts once.
    first();
    memory.reserve('b', 10);
    expect(() => memory.reserve('b', 20)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  });

  it('leave room for a tenant that holds nothing, however many others hold all they may', () => {
    const memory = createTenantShares(256, 'too many');
    for (let tenant = 0; tenant < 4; tenant += 1) {
      let refused: unknown = null;
      while (refused === null) {
        try {
          memory.reserve(`hostile ${tenant}`, 8);
        } catch (error) {
          refused = error;
        }
      }
      expect(refused).toMatchObject({ code: 'rate_limited' });
    }
    expect(memory.reserve('polite', 8)).toEqual(expect.any(Function));
  });
});

describe('a service with an operation that takes large bodies', () => {
  it('does not start without a place to parse them', () => {
    const operations = [handle(ingestDocuments, async () => ({ body: { documents: [] } }))];
    const options = {
      operations,
      requests: null as never,
      logger: pino({ level: 'silent' }),
      ready: async () => undefined,
      changes: { record: (_change: unknown, work: () => Promise<never>) => work() },
    };
    expect(() => operationsApp(options)).toThrow('ingestDocuments');
  });
});

function valuesOf(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n % 2 === 0 ? n : `v${n}`]));
}
