import { gzipSync } from 'node:zlib';
import { type Attack, type AttackContext, pick, postJson, someKey } from './attack.ts';

const METADATA_KEYS = 600_000;
const UNKNOWN_FIELDS = 75_000;
const FILTER_LEAVES = 15_000;
const ARRAY_ELEMENTS = 2_000_000;
const NESTED = 60_000;

const manyKeys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');

/** Bodies whose validation costs far more than their transfer; made once. */
const BODIES: readonly { path: string; body: string }[] = [
  { path: '/api/v1/memory/documents', body: `{"content":"x","metadata":{${manyKeys(METADATA_KEYS)}}}` },
  { path: '/api/v1/memory/documents', body: `{"content":"x",${manyKeys(METADATA_KEYS)}}` },
  { path: '/api/v1/memory/documents', body: `{"documents":[${'1,'.repeat(ARRAY_ELEMENTS)}1]}` },
  { path: '/api/v1/memory/documents', body: `{"metadata":${'[['.repeat(NESTED)}${']]'.repeat(NESTED)}}` },
  { path: '/api/v1/memory/search', body: `{"query":"x",${manyKeys(UNKNOWN_FIELDS)}}` },
  { path: '/api/v1/api-keys', body: `{"name":"x",${manyKeys(UNKNOWN_FIELDS)}}` },
  {
    path: '/api/v1/memory/search',
    body: `{"query":"x","filters":{"and":[${'{"field":"metadata.a","op":"eq","value":1},'.repeat(FILTER_LEAVES)}{"field":"metadata.a","op":"eq","value":1}]}}`,
  },
  { path: '/api/v1/webhooks', body: `{"url":"https://example.com","events":[${'"x",'.repeat(100_000)}"x"]}` },
];
/** Bodies of one value and a field too many, which differ from a small one in blanks alone. */
const BLANKS: readonly { path: string; body: string }[] = [
  { path: '/api/v1/memory/documents', body: blanks('{"content":"x"', 8_388_608) },
  { path: '/api/v1/memory/search', body: blanks('{"query":"x"', 262_144) },
  { path: '/api/v1/search/research/start', body: blanks('{"query":"x"', 262_144) },
  { path: '/api/v1/api-keys', body: blanks('{"name":"x"', 65_536) },
  { path: '/api/v1/webhooks', body: blanks('{"url":"https://example.com"', 65_536) },
  { path: '/api/v1/workspaces', body: blanks('{"name":"x"', 65_536) },
];
const ZIPPED_BLANKS = BLANKS.map(({ path, body }) => ({ path, body: gzipSync(body) }));
const ZIPPED = BODIES.map(({ path, body }) => ({ path, body: gzipSync(body) }));

function blanks(start: string, bytes: number): string {
  const end = ',"zz":1}';
  return start + ' '.repeat(bytes - start.length - end.length) + end;
}

async function expensiveBody(context: AttackContext): Promise<string> {
  const { path, body } = pick(context.random, BODIES);
  return (await postJson(context, path, body)).status;
}

async function bodyOfBlanks(context: AttackContext): Promise<string> {
  const { path, body } = pick(context.random, BLANKS);
  return (await postJson(context, path, body)).status;
}

const zippedBody = (context: AttackContext) => sendZipped(context, ZIPPED);
const zippedBlanks = (context: AttackContext) => sendZipped(context, ZIPPED_BLANKS);
/** The one of them that becomes the largest. */
const largestBlanks = (context: AttackContext) => sendZipped(context, ZIPPED_BLANKS.slice(0, 1));

async function sendZipped(context: AttackContext, bodies: typeof ZIPPED): Promise<string> {
  const { path, body } = pick(context.random, bodies);
  const headers = { 'content-encoding': 'gzip' };
  return `${(await context.client.send('POST', path, { apiKey: someKey(context), body, headers })).status}`;
}

async function hostileUpload(context: AttackContext): Promise<string> {
  const file = pick(context.random, context.files);
  const boundary = '----hostile';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${Math.floor(context.random() * 1e9)}-${file.name}"\r\nContent-Type: ${file.type}\r\n\r\n`;
  // A byte of its own each time: the same content twice would be one document.
  const body = Buffer.concat([
    Buffer.from(head),
    file.bytes,
    Buffer.from(`\n${context.random()}\r\n--${boundary}--\r\n`),
  ]);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const response = await context.client.send('POST', '/api/v1/memory/documents', {
    apiKey: someKey(context),
    body,
    headers,
  });
  return `${response.status}`;
}

const SEARCHES = [
  `${'a'.repeat(1_500)} and ${'b,'.repeat(1_000)}`,
  '\t- '.repeat(1_000),
  `who ${'is the '.repeat(500)}?`,
  '2024-01-01'.repeat(300),
  `${'('.repeat(2_000)}x`,
  '<!---->'.repeat(500),
];

async function expensiveSearch(context: AttackContext): Promise<string> {
  const query = pick(context.random, SEARCHES);
  return (await postJson(context, '/api/v1/memory/search', { query, top_k: 100, explain: true })).status;
}

export const BODY_ATTACKS: readonly Attack[] = [
  { name: 'bodies that are expensive to validate', everyMs: 1_000, parallel: 4, run: expensiveBody },
  { name: 'the same, compressed', everyMs: 2_000, parallel: 2, run: zippedBody },
  { name: 'bodies of blanks', everyMs: 250, parallel: 2, run: bodyOfBlanks },
  { name: 'the same blanks, compressed', everyMs: 100, parallel: 2, run: zippedBlanks },
  { name: 'eight mebibytes of blanks in eight kilobytes', everyMs: 50, parallel: 4, run: largestBlanks },
  { name: 'files that are expensive to read', everyMs: 3_000, parallel: 2, run: hostileUpload },
  { name: 'searches made for slow patterns', everyMs: 300, parallel: 3, run: expensiveSearch },
];
