import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BootedMemory, bootMemory, type Caller } from './memory-harness.ts';

let memory: BootedMemory;
let caller: Caller;
beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
});
afterAll(() => memory.close());

const DOCUMENTS = '/api/v1/memory/documents';
const SEARCH = '/api/v1/memory/search';
const JSON_TYPE = { 'content-type': 'application/json' };

const cases: [string, string, unknown, Record<string, string>, number, string][] = [
  ['malformed JSON', DOCUMENTS, '{"content": ', JSON_TYPE, 400, 'malformed_json'],
  ['an unknown field', DOCUMENTS, { content: 'x', contnet: 'y' }, {}, 422, 'validation_failed'],
  ['a tenant named by the caller', DOCUMENTS, { content: 'x', tenant_id: 'tnt_1' }, {}, 422, 'validation_failed'],
  [
    'an unknown field inside a batch',
    DOCUMENTS,
    { documents: [{ content: 'x', colour: 'red' }] },
    {},
    422,
    'validation_failed',
  ],
  ['neither content nor documents', DOCUMENTS, {}, {}, 422, 'validation_failed'],
  [
    'both content and documents',
    DOCUMENTS,
    { content: 'x', documents: [{ content: 'y' }] },
    {},
    422,
    'validation_failed',
  ],
  [
    '101 documents',
    DOCUMENTS,
    { documents: Array.from({ length: 101 }, () => ({ content: 'x' })) },
    {},
    422,
    'validation_failed',
  ],
  [
    'an external id twice in one batch',
    DOCUMENTS,
    {
      documents: [
        { content: 'x', external_id: 'a' },
        { content: 'y', external_id: 'a' },
      ],
    },
    {},
    422,
    'validation_failed',
  ],
  ['a NUL character', DOCUMENTS, { content: 'a\u0000b' }, {}, 422, 'validation_failed'],
  [
    'a NUL character in metadata',
    DOCUMENTS,
    { content: 'x', metadata: { 'k\u0000': 'v' } },
    {},
    422,
    'validation_failed',
  ],
  ['a 10 MB document', DOCUMENTS, { content: 'x'.repeat(10_000_000) }, {}, 413, 'payload_too_large'],
  [
    'another content type',
    DOCUMENTS,
    'content=x',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'unsupported_media_type',
  ],
  ['a search without a query', SEARCH, {}, {}, 422, 'validation_failed'],
  ['an empty query', SEARCH, { query: '   ' }, {}, 422, 'validation_failed'],
  ['a query of 4,001 characters', SEARCH, { query: 'q'.repeat(4_001) }, {}, 422, 'validation_failed'],
  ['top_k of 0', SEARCH, { query: 'x', top_k: 0 }, {}, 422, 'validation_failed'],
  ['a memory nobody has', SEARCH, { query: 'x', memory_id: 'mem_111111111111111111111' }, {}, 404, 'not_found'],
  ['a malformed memory id', SEARCH, { query: 'x', memory_id: '../etc' }, {}, 422, 'validation_failed'],
  ['an invalid date', DOCUMENTS, { content: 'x', occurred_at: '31.12.2025' }, {}, 422, 'validation_failed'],
];

describe('bad input', () => {
  it.each(cases)(
    '%s is refused with its code, stores nothing and shows no internals',
    async (_name, path, body, headers, status, code) => {
      const answer = await memory.call(caller, 'POST', path, body, headers);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.body).toMatchObject({
        type: expect.any(String),
        title: expect.any(String),
        status,
        detail: expect.any(String),
        request_id: expect.any(String),
      });
      expect(JSON.stringify(answer.body)).not.toMatch(/\.ts:|node_modules|at Object|SELECT|INSERT/);
      const rows = await memory.database.worker.transaction((tx) =>
        tx.query('SELECT doc_id FROM documents WHERE tenant_id = $1', [caller.identity.tenantId]),
      );
      expect(rows).toEqual([]);
    },
  );

  it('names the field that is not known', async () => {
    const answer = await memory.call(caller, 'POST', DOCUMENTS, { documents: [{ content: 'x', colour: 'red' }] });
    expect(answer.body.errors).toEqual([{ path: 'documents.0.colour', message: expect.any(String) }]);
  });

  it('names the query parameter that is not known', async () => {
    const answer = await memory.call(caller, 'GET', `${DOCUMENTS}?statsu=failed`);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, 'statsu']);
  });

  it('leaves the service up', async () => {
    expect((await fetch(`${memory.url}/healthz`)).status).toBe(200);
    await memory.ingest(caller, [{ content: 'Still alive.' }]);
  });
});
