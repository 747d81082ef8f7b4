import { describe, expect, it } from '@jest/globals';
import { createApiKey, getApiKey, ingestDocuments, listApiKeys, type Operation, searchMemory } from '@cairn/contracts';
import { CairnError, type FieldError } from '@cairn/errors';
import fc from 'fast-check';
import { validateRequest } from './validate.ts';

interface Raw {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

function errorsOf(operation: Operation, raw: Raw): FieldError[] {
  try {
    validateRequest(operation, { params: {}, query: {}, body: {}, ...raw });
    return [];
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'validation_failed') throw error;
    return error.errors ?? [];
  }
}

const pathsOf = (operation: Operation, raw: Raw) => errorsOf(operation, raw).map(({ path }) => path);
const UNKNOWN = 'unknown field';

describe('what is wrong is said in words', () => {
  it.each<[string, Operation, Raw, [string, string][]]>([
    [
      'a missing field, and the same by another name',
      searchMemory,
      { body: { q: 'x' } },
      [
        ['query', 'is required'],
        ['q', 'unknown field; did you mean “query”?'],
      ],
    ],
    ['a wrong kind', searchMemory, { body: { query: 5 } }, [['query', 'must be a text']]],
    ['too many', searchMemory, { body: { query: 'x', top_k: 10_000 } }, [['top_k', 'must be at most 100']]],
    ['nothing at all', createApiKey, { body: { name: '' } }, [['name', 'must not be empty']]],
    [
      'an unknown choice',
      createApiKey,
      { body: { name: 'x', type: 'gold' } },
      [['type', 'must be one of "live", "test", "ephemeral", "memory"']],
    ],
  ])('%s', (_what, operation, raw, expected) => {
    expect(errorsOf(operation, raw).map(({ path, message }) => [path, message])).toEqual(expected);
  });
});

describe('a field that nobody knows', () => {
  it.each<[string, Operation, Raw, string[]]>([
    ['in a body', createApiKey, { body: { name: 'x', colour: 1, tenant_id: 't' } }, ['colour', 'tenant_id']],
    [
      'inside an object',
      createApiKey,
      { body: { name: 'x', rate_limit: { requests_per_second: 1, burst: 1, per: 'day' } } },
      ['rate_limit.per'],
    ],
    [
      'inside an item of a list',
      ingestDocuments,
      { body: { documents: [{ content: 'a' }, { content: 'b', tilte: 'c' }] } },
      ['documents.1.tilte'],
    ],
    ['in a query', listApiKeys, { query: { limit: '1', page: '2' } }, ['page']],
    [
      'in the query of an operation that takes none',
      createApiKey,
      { query: { dry_run: '1' }, body: { name: 'x' } },
      ['dry_run'],
    ],
    ['in the body of an operation that takes none', listApiKeys, { body: { limit: 1 } }, ['limit']],
    [
      'in a union',
      searchMemory,
      { body: { query: 'q', filters: { field: 'doc_id', op: 'eq', value: 'x', boost: 2 } } },
      ['filters.boost'],
    ],
    [
      'deep in a union',
      searchMemory,
      { body: { query: 'q', filters: { and: [{ not: { field: 'doc_id', op: 'eq', value: 'x', boost: 2 } }] } } },
      ['filters.and.0.not.boost'],
    ],
    [
      'beside a branch of a union',
      searchMemory,
      { body: { query: 'q', filters: { or: [{ field: 'doc_id', op: 'eq', value: 'x' }], min: 1 } } },
      ['filters.min'],
    ],
    [
      'called __proto__',
      createApiKey,
      { body: JSON.parse('{"name":"x","__proto__":{"admin":true}}') as unknown },
      ['__proto__'],
    ],
    ['called constructor', createApiKey, { body: { name: 'x', constructor: 1 } }, ['constructor']],
  ])('%s is named', (_what, operation, raw, paths) => {
    const errors = errorsOf(operation, raw);
    expect(errors).toEqual(paths.map((path) => ({ path, message: UNKNOWN })));
  });
});

describe('every wrong place', () => {
  it('is named at once, of path, query and body', () => {
    expect(
      pathsOf(createApiKey, { query: { x: '1' }, body: { type: 'root', scopes: ['root'], extra: 1 } }).sort(),
    ).toEqual(['extra', 'name', 'scopes.0', 'type', 'x']);
  });

  it('of a body that is no object is the body itself', () => {
    for (const body of [[], 'text', 5, true]) expect(pathsOf(createApiKey, { body })).toEqual(['']);
  });

  it('in a filter is the one of the branch that was meant', () => {
    expect(pathsOf(searchMemory, { body: { query: 'q', filters: { field: 'title', op: 'eq', value: 1 } } })).toEqual([
      'filters.field',
    ]);
    expect(pathsOf(searchMemory, { body: { query: 'q', filters: { field: 'doc_id', op: 'like', value: 1 } } })).toEqual(
      ['filters.op'],
    );
  });

  it('with a parameter given twice is that parameter', () => {
    expect(pathsOf(listApiKeys, { query: { limit: ['1', '2'] } })).toEqual(['limit']);
  });
});

describe('text that cannot be stored', () => {
  it.each<[string, Operation, Raw, string]>([
    ['a NUL in a body', createApiKey, { body: { name: 'a\0b' } }, 'name'],
    [
      'a NUL deep in a body',
      ingestDocuments,
      { body: { documents: [{ content: 'x', metadata: { list: ['a', '\0'] } }] } },
      'documents.0.metadata.list.1',
    ],
    ['a NUL in a key', ingestDocuments, { body: { content: 'x', metadata: { 'a\0b': 1 } } }, 'metadata.a\\0b'],
    ['a NUL in the path', getApiKey, { params: { key_id: 'key_\0' } }, 'key_id'],
    ['a NUL in a query', listApiKeys, { query: { cursor: '\0' } }, 'cursor'],
    [
      'half a character in a body',
      ingestDocuments,
      { body: { content: 'x', metadata: { a: '\ud83d' } } },
      'metadata.a',
    ],
    [
      'half a character in a key',
      ingestDocuments,
      { body: { content: 'x', metadata: { 'a\udc00': 1 } } },
      'metadata.a\ufffd',
    ],
  ])('is refused with its place: %s', (_what, operation, raw, path) => {
    expect(errorsOf(operation, raw)).toEqual([{ path, message: expect.stringContaining('cannot be stored') }]);
  });

  it('is not confused with text that looks strange and is whole', () => {
    expect(errorsOf(createApiKey, { body: { name: '🙂 ﷽ \u00ad \u{e0041} 工' } })).toEqual([]);
  });
});

describe('a body nested without end', () => {
  it('is refused, and exhausts no stack', () => {
    let body: unknown = 'x';
    for (let n = 0; n < 200_000; n += 1) body = n % 2 === 0 ? [body] : { a: body };
    expect(errorsOf(createApiKey, { body: { name: 'x', deep: body } })[0]?.message).toContain(
      'nested more than 64 deep',
    );
    expect(errorsOf(searchMemory, { body: { query: 'x', filters: body } })).toHaveLength(1);
  });

  it('of filters is refused beyond eight levels', () => {
    const nested = (depth: number): object =>
      depth === 1 ? { field: 'doc_id', op: 'eq', value: 'x' } : { not: nested(depth - 1) };
    expect(errorsOf(searchMemory, { body: { query: 'q', filters: nested(8) } })).toEqual([]);
    expect(pathsOf(searchMemory, { body: { query: 'q', filters: nested(9) } })).toEqual(['filters']);
  });
});

describe('a request that is right', () => {
  it('comes back with its defaults and numbers', () => {
    const parsed = validateRequest(searchMemory, { params: {}, query: {}, body: { query: ' what? ' } });
    expect(parsed.body).toEqual({ query: 'what?', top_k: 10, explain: false });
    expect(validateRequest(listApiKeys, { params: {}, query: { limit: '20' }, body: {} }).query).toEqual({ limit: 20 });
  });
});

describe('whatever is sent', () => {
  it('is taken or refused with places, and never breaks the validation', () => {
    const anything = fc.anything({
      withNullPrototype: true,
      maxDepth: 5,
      key: fc.oneof(fc.string(), fc.constantFrom('name', 'type', 'scopes', 'filters', 'and', '__proto__')),
    });
    fc.assert(
      fc.property(
        fc.constantFrom<Operation>(createApiKey, searchMemory, ingestDocuments, listApiKeys),
        anything,
        anything,
        (operation, body, query) =>
          Array.isArray(errorsOf(operation, { body: JSON.parse(JSON.stringify(body) ?? 'null'), query })),
      ),
      { numRuns: 500 },
    );
  });
});
