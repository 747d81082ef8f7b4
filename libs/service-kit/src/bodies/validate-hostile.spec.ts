import { describe, expect, it } from '@jest/globals';
import {
  createApiKey,
  defineOperation,
  ingestDocuments,
  OPERATIONS,
  type Operation,
  searchMemory,
} from '@cairn/contracts';
import { CairnError, toProblem } from '@cairn/errors';
import { z } from 'zod';
import { parseMeasured } from './parse-request.ts';
import { boundsOf } from './validate.ts';

const ERRORS_MAX = 20;
const PATH_MAX_CHARS = 256;
const ANSWER_MAX_BYTES = 16_384;

/** How a request with this body is answered. */
function problemOf(operation: Operation, json: string) {
  try {
    parseMeasured(operation, { params: {}, query: {}, json: Buffer.from(json) }, () => undefined);
  } catch (error) {
    if (error instanceof CairnError) return toProblem(error, 'req_1');
    throw error;
  }
  throw new Error('was accepted');
}

function expectSmall422(problem: ReturnType<typeof toProblem>): void {
  expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(problem.errors!.length).toBeGreaterThan(0);
  expect(problem.errors!.length).toBeLessThanOrEqual(ERRORS_MAX);
  for (const { path } of problem.errors!) expect(path.length).toBeLessThanOrEqual(PATH_MAX_CHARS);
  expect(Buffer.byteLength(JSON.stringify(problem))).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
}

const fields = (count: number) =>
  Array.from({ length: count }, (_, n) => `"field_${n.toString(36).padStart(4, '0')}":${n}`).join(',');
const LEAF = '{"field":"doc_id","op":"eq","value":"x"}';
const leaves = (count: number) => Array.from({ length: count }, () => LEAF).join(',');

describe('a body made to keep the service busy', () => {
  it.each<[string, Operation, string]>([
    ['600,000 keys of metadata', ingestDocuments, `{"content":"x","metadata":{${fields(600_000)}}}`],
    ['600,000 unknown fields of a document', ingestDocuments, `{"content":"x",${fields(600_000)}}`],
    ['2,000,000 items in a list', ingestDocuments, `{"documents":[${'1,'.repeat(2_000_000)}1]}`],
    ['2,000,000 lists in one another', ingestDocuments, `{"documents":${'['.repeat(2e6)}${']'.repeat(2e6)}}`],
    ['many lists with many items', ingestDocuments, `[${`[${'1,'.repeat(900)}1],`.repeat(900)}1]`],
    ['75,000 unknown fields of a search', searchMemory, `{"query":"q",${fields(75_000)}}`],
    ['75,000 unknown fields of a key', createApiKey, `{"name":"x",${fields(75_000)}}`],
    ['a filter with 15,000 conditions', searchMemory, `{"query":"q","filters":{"or":[${leaves(15_000)}]}}`],
    ['one field 100,000 times', createApiKey, `{"name":"x"${',"name":1'.repeat(100_000)}}`],
  ])('of %s is refused before a schema sees it, in few words', (_what, operation, json) => {
    expectSmall422(problemOf(operation, json));
  });

  it.each<[string, Operation, string]>([
    ['as many unknown fields as are counted', createApiKey, `{"name":"x",${fields(250)}}`],
    ['as much metadata as is counted', ingestDocuments, `{"content":"x","metadata":{${fields(250)}}}`],
    [
      'wrong values wherever they fit',
      ingestDocuments,
      `{"documents":[${Array.from({ length: 100 }, () => `{${fields(150)}}`).join(',')}]}`,
    ],
    [
      'a filter of as many conditions as are counted, none of them right',
      searchMemory,
      `{"query":"q","filters":{"or":[${'{"and":[{"field":1},{"op":2}]},'.repeat(49)}{"not":{}}]}}`,
    ],
    ['names of 100 kB', createApiKey, `{"${'n'.repeat(100_000)}":1,"${'ä'.repeat(100_000)}":1}`],
    [
      'names that swell when they are written as JSON',
      createApiKey,
      `{${Array.from({ length: 200 }, (_, n) => `"${'\\u0001'.repeat(400)}${n}":1`).join(',')}}`,
    ],
  ])('of %s is answered in few words, too', (_what, operation, json) => {
    expectSmall422(problemOf(operation, json));
  });

  it('never reaches a schema with more values than its operation takes', () => {
    let seen = 0;
    const count = z.preprocess((value) => {
      seen += 1;
      return value;
    }, z.unknown());
    const counting = { ...createApiKey, body: z.record(z.string(), z.union([z.array(count), count])) };
    const operation = defineOperation(counting as unknown as Operation);
    expect(() => problemOf(operation, `{${fields(200)}}`)).toThrow('was accepted');
    expect(seen).toBe(200);
    seen = 0;
    for (const json of [
      `{${fields(257)}}`,
      `{"a":[${'1,'.repeat(1_000)}1]}`,
      `{${Array.from({ length: 10 }, (_, n) => `"${n}":[${'1,'.repeat(500)}1]`).join(',')}}`,
    ])
      expectSmall422(problemOf(operation, json));
    expect(seen).toBe(0);
  });

  it('says how many errors it does not list', () => {
    const problem = problemOf(createApiKey, `{"name":"x",${fields(50)}}`);
    expect(problem.errors).toHaveLength(ERRORS_MAX);
    expect(problem.detail).toBe('field_0000: unknown field (and 30 more)');
  });
});

describe('what an operation takes', () => {
  const WITH_BODY = OPERATIONS.filter(({ body, response }) => body !== undefined && response.kind !== 'mcp');

  /** Every list and map of a schema, with its place. */
  function* containersOf(schema: unknown, path: string): Generator<[string, Record<string, unknown>]> {
    if (schema === null || typeof schema !== 'object') return;
    const node = schema as Record<string, unknown>;
    if (node['type'] === 'array') yield [path, node];
    for (const [key, inner] of Object.entries(node)) yield* containersOf(inner, `${path}/${key}`);
  }

  it.each(WITH_BODY.map((operation) => [operation.id, operation] as const))(
    '%s has a bound on every list, which fits into what is counted first',
    (_id, operation) => {
      const { itemsMax } = boundsOf(operation);
      const schemas = [operation.body, operation.upload?.fields].filter((schema) => schema !== undefined);
      for (const schema of schemas)
        for (const [path, list] of containersOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '#'))
          expect({ path, fits: ((list['maxItems'] as number | undefined) ?? Infinity) <= itemsMax }).toEqual({
            path,
            fits: true,
          });
    },
  );
});
