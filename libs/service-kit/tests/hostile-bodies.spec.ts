import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ingestDocuments } from '@cairn/contracts';
import { createRequestVerifier, createTokenVerifier, requestKeysOf } from '@cairn/identity';
import { createTestIdentities, type TestIdentities, testIdentity } from '@cairn/testing';
import pino from 'pino';
import { createBodyBudget } from '../src/bodies/body-budget.ts';
import { handle, createLargeBodies, type HttpListener, listenHttp, operationsApp } from '../src/index.ts';

const MIB = 1_048_576;
const REQUESTS = 20;
/** Of this thread, which sends the requests as well. Inflating, handing on and refusing one took it 100 ms. */
const CPU_PER_REQUEST_MAX_MS = 25;

let identities: TestIdentities;
let http: HttpListener;
let handled = 0;
const largeBodies = createLargeBodies();

beforeAll(async () => {
  identities = await createTestIdentities();
  const { keys } = JSON.parse(await readFile(identities.jwksFile, 'utf8')) as { keys: [] };
  const { keys: requestKeys } = JSON.parse(await readFile(identities.requestKeysFile, 'utf8')) as { keys: [] };
  const app = operationsApp({
    operations: [
      handle(ingestDocuments, async () => {
        handled += 1;
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
    // However slow the machine is, nothing of the budget comes back.
    bodyBudget: createBodyBudget(() => 0),
    changes: { record: (_change, work) => work() },
  });
  http = await listenHttp(app, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await http.close();
  await largeBodies.close();
  await identities.remove();
});

let tenants = 0;
/** The budget of one spec is not that of another. */
const newTenant = () => testIdentity({ tenantId: `ten_hostile${(tenants += 1)}` });

async function post(as: ReturnType<typeof testIdentity>, body: string | Buffer, encoding?: string) {
  const response = await identities.fetchAs(as, 'memory')(http.url + ingestDocuments.path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body,
  });
  const { code, detail } = (await response.json()) as { code?: string; detail?: string };
  return { status: response.status, code, detail, retryAfter: Number(response.headers.get('retry-after')) };
}

const blanks = (bytes: number) => `{"content":"x",${' '.repeat(bytes)}"zz":1}`;

describe('eight kilobytes that become eight mebibytes of blanks', () => {
  it('are refused before they are inflated, and cost the event loop no more than a small request', async () => {
    const hostile = newTenant();
    const bomb = gzipSync(blanks(8 * MIB - 100));
    // The thread is started by the first one.
    expect(await post(hostile, bomb, 'gzip')).toMatchObject({ status: 413, code: 'payload_too_large' });
    const begun = process.threadCpuUsage();
    for (let count = 0; count < REQUESTS; count += 1) await post(hostile, bomb, 'gzip');
    const { user, system } = process.threadCpuUsage(begun);
    expect((user + system) / 1_000 / REQUESTS).toBeLessThan(CPU_PER_REQUEST_MAX_MS);
  });

  it('are charged for as far as they were inflated', async () => {
    const hostile = newTenant();
    const bomb = gzipSync(blanks(8 * MIB - 100));
    let last = await post(hostile, bomb, 'gzip');
    let taken = 1;
    for (; last.status === 413 && taken < 100; taken += 1) last = await post(hostile, bomb, 'gzip');
    expect(last).toMatchObject({ status: 429, code: 'rate_limited' });
    // Each one a mebibyte, of 64 at once.
    expect(taken).toBeLessThanOrEqual(66);
  });

  it('are refused in every encoding, and the refusal says what to do', async () => {
    const refused = await post(newTenant(), brotliCompressSync(blanks(8 * MIB - 100)), 'br');
    expect(refused).toMatchObject({ status: 413, detail: expect.stringContaining('Send it without compression') });
  });
});

describe('a compressed body that real documents make', () => {
  it.each([
    [
      'a hundred documents from one template',
      Array.from({ length: 100 }, (_, n) => ({
        content: `Contract ${n}. ${'The parties agree on ferries. '.repeat(250)}`,
      })),
    ],
    [
      'rows of a table',
      [
        {
          content: Array.from(
            { length: 40_000 },
            (_, n) => `2026-01-${(n % 28) + 1},Customer ${n % 300},${n * 37},EUR`,
          ).join('\n'),
        },
      ],
    ],
  ])('is taken: %s', async (_what, documents) => {
    const before = handled;
    expect(await post(newTenant(), gzipSync(JSON.stringify({ documents })), 'gzip')).toMatchObject({ status: 202 });
    expect(handled).toBe(before + 1);
  });
});

describe('a tenant that sends large bodies without end', () => {
  /** The ninth one makes more than 64 MiB; on a busy machine they take too much processor time before. */
  async function postUntilRefused(
    tenant: Parameters<typeof post>[0],
    body: Parameters<typeof post>[1],
    encoding?: string,
  ) {
    expect(await post(tenant, body, encoding)).toMatchObject({ status: 422 });
    for (let count = 1; count < 9; count += 1) {
      const answer = await post(tenant, body, encoding);
      if (answer.status !== 422) return answer;
    }
    return post(tenant, body, encoding);
  }

  it('is refused with 429 and the time to wait once they took more than its budget; others are not', async () => {
    const [hostile, polite] = [newTenant(), newTenant()];
    const body = blanks(8 * MIB - 100);
    const last = await postUntilRefused(hostile, body);
    expect(last).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(last.retryAfter).toBeGreaterThanOrEqual(1);
    expect(await post(hostile, '{"content":"small"}')).toMatchObject({ status: 429 });
    expect(await post(polite, '{"content":"small"}')).toMatchObject({ status: 202 });
  });

  it('is charged for what a compressed body becomes, not for what was sent', async () => {
    const hostile = newTenant();
    // 30 times smaller, and of nearly the largest size.
    const rows = Array.from({ length: 64_000 }, (_, n) => `${' '.repeat(120)}${(n * 7_919) % 100_000}`);
    const body = gzipSync(`{"content":"x","zz":1,"y":"${rows.join('')}"}`);
    expect(body.length).toBeLessThan(MIB / 2);
    // All of them together are smaller than one that may be sent at once.
    expect(await postUntilRefused(hostile, body, 'gzip')).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});
