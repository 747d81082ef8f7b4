import { ERROR_CODES } from '@cairn/errors';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { openApiDocument } from './openapi.ts';
import { errorsOf, isGuarded, type Operation } from './operation.ts';
import { OPERATIONS } from './operations/index.ts';
import { APPS, SCOPES } from './permissions.ts';

type Json = Record<string, unknown>;

const document = JSON.parse(
  JSON.stringify(openApiDocument(OPERATIONS, { version: '1.2.3', serverUrl: 'http://localhost:8080' })),
) as Json & { paths: Record<string, Record<string, Json>> };
const BY_ID = OPERATIONS.map((operation) => [operation.id, operation] as const);
const GUARDED = OPERATIONS.filter(isGuarded).map((operation) => [operation.id, operation] as const);

const described = (operation: Operation) => document.paths[operation.path]![operation.method.toLowerCase()]!;
const placeholders = (operation: Operation) => [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** Every object below `value`, with the way to it. */
function* objectsOf(value: unknown, path = '#'): Generator<[string, Json]> {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) yield [path, value as Json];
  for (const [key, inner] of Object.entries(value))
    yield* objectsOf(inner, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

function resolve(reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .reduce<unknown>(
      (at, key) => (at as Json | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
}

describe('the tags', () => {
  it('are all described, each once and in a full sentence', () => {
    const tags = document['tags'] as { name: string; description: string }[];
    expect(tags.map(({ name }) => name)).toEqual([...new Set(OPERATIONS.map(({ tag }) => tag))]);
    for (const { description } of tags) expect(description).toMatch(/^[A-Z].{29,}\.$/s);
  });
});

describe('the operations', () => {
  it('have ids of their own', () => {
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  });

  it('have names of their own in the SDKs, of at least two parts', () => {
    const names = OPERATIONS.map(({ sdk }) => sdk);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]*(?:\.[a-z][A-Za-z]*){1,2}$/);
    // A resource cannot also be called.
    for (const name of names) expect(names.filter((other) => other.startsWith(`${name}.`))).toEqual([]);
  });

  it.each(BY_ID)('say of %s in full sentences what it does, and more than its summary', (_id, operation) => {
    expect(operation.summary).toMatch(/^[A-Z][^.]{5,79}$/);
    expect(operation.description).toMatch(/^[A-Z`].{29,}\.$/s);
    expect(described(operation)['description']).toBe(operation.description);
    expect(operation.description).not.toContain(operation.summary);
  });

  it('have descriptions of their own', () => {
    expect(new Set(OPERATIONS.map(({ description }) => description)).size).toBe(OPERATIONS.length);
  });

  it('take no field of one name in two places, so that an SDK can take them in one object', () => {
    for (const operation of OPERATIONS) {
      const [params = [], query = [], body = []] = [operation.params, operation.query, operation.body].map((schema) =>
        schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
      );
      expect({ id: operation.id, twice: query.filter((field) => [...params, ...body].includes(field)) }).toEqual({
        id: operation.id,
        twice: [],
      });
    }
  });

  it('have a method and path of their own, whatever the parameters are called', () => {
    const routes = OPERATIONS.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(BY_ID)('%s names in its params exactly what its path has', (_id, operation) => {
    const declared = operation.params === undefined ? [] : Object.keys((operation.params as z.ZodObject).shape);
    expect(declared.sort()).toEqual(placeholders(operation).sort());
  });

  it('demand a credential, but for those that are there to get or end one', () => {
    expect(
      OPERATIONS.filter((operation) => !isGuarded(operation)).map(({ method, path }) => `${method} ${path}`),
    ).toEqual([
      'POST /oauth/token',
      'POST /oauth/revoke',
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource/api/v1/spaces/{space_id}/mcp',
      'POST /oauth/register',
      'POST /api/v1/console/sessions',
      'GET /api/v1/console/sign-in',
      'POST /api/v1/console/sign-in',
    ]);
  });

  it.each(GUARDED)('%s is guarded by a known scope and app, reading by GET and writing otherwise', (_id, operation) => {
    // What is about the credential itself is for all of them; of events each has its own scope.
    const forAll = [
      'whoami',
      'streamEvents',
      'signOut',
      'createSessionTicket',
      // It is about the member who calls.
      'startAccountLink',
      // What each connects and disconnects is its own.
      'previewAuthorization',
      'authorizeApp',
      'listConnectedApps',
      'disconnectApp',
    ];
    if (operation.scope === null) expect(forAll).toContain(operation.id);
    else expect(SCOPES).toContain(operation.scope);
    expect(APPS).toContain(operation.app);
    // A WebSocket is asked for by GET, and what is sent over it does what it says. MCP asks for each tool's own besides.
    const reads =
      (operation.method === 'GET' && operation.response.kind !== 'socket') ||
      // Who may ask may say whether the answer helped.
      (operation.scope === 'memory:search' && operation.id !== 'rateSearch') ||
      operation.response.kind === 'mcp';
    expect(operation.action).toBe(reads ? 'read' : 'write');
  });

  it.each(GUARDED)('%s honours Idempotency-Key when it creates', (_id, operation) => {
    // A rating replaces the one before, and a ticket or a code that was lost on the way ends by itself.
    const mayBeRepeated = [
      'rateSearch',
      'createSessionTicket',
      'createMemberTicket',
      'startAccountLink',
      'authorizeApp',
    ].includes(operation.id);
    const creates = operation.method === 'POST' && operation.action === 'write' && !mayBeRepeated;
    expect(operation.idempotent === true).toBe(creates);
  });

  // A JSON-RPC message is read by the protocol's own library.
  it.each(GUARDED.filter(([, { body, response }]) => body !== undefined && response.kind !== 'mcp'))(
    '%s refuses a field that nobody knows, tenant_id too',
    (_id, operation) => {
      for (const name of ['tenant_id', 'no_such_field']) {
        const result = operation.body!.safeParse({ [name]: 'tnt_1' });
        const unknown = result.error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
        expect(unknown).toEqual([name]);
      }
    },
  );

  it.each(BY_ID.filter(([, { query }]) => query !== undefined))(
    '%s refuses a query parameter that nobody knows',
    (_id, operation) => {
      expect(operation.query!.safeParse({ tenant_id: 'tnt_1' }).success).toBe(false);
    },
  );
});

describe('the OpenAPI document', () => {
  it('is of version 3.1 with its title, version and server', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Cairn', version: '1.2.3' },
      servers: [{ url: 'http://localhost:8080' }],
    });
  });

  it('has the operations and no others', () => {
    const routes = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('resolves every reference', () => {
    const references = [...objectsOf(document)].flatMap(([path, object]) =>
      typeof object['$ref'] === 'string' ? [[path, object['$ref']]] : [],
    );
    expect(references.length).toBeGreaterThan(10);
    for (const [path, reference] of references)
      expect({ path, found: resolve(reference!) !== undefined }).toEqual({ path, found: true });
  });

  it('knows both ways to authenticate, and asks for one everywhere', () => {
    expect(document['security']).toEqual([{ apiKey: [] }, { bearer: [] }]);
    expect(Object.keys((document['components'] as Json)['securitySchemes'] as Json).sort()).toEqual([
      'apiKey',
      'bearer',
      'oauthClient',
    ]);
    const open = [...objectsOf(document.paths)].filter(([, object]) => 'security' in object);
    expect(open.map(([, object]) => object['operationId'])).toEqual(
      OPERATIONS.filter((operation) => !isGuarded(operation)).map(({ id }) => id),
    );
  });

  it.each(BY_ID)('says of %s its id, scope, tag, success and failure', (_id, operation) => {
    const answers = Object.fromEntries(
      Object.entries(described(operation)['responses'] as Record<string, Json>).map(([status, answer]) => [
        status,
        '$ref' in answer ? (resolve(answer['$ref'] as string) as Json) : answer,
      ]),
    );
    const { response } = operation;
    const success = response.kind === 'json' ? String(response.status) : response.kind === 'socket' ? '101' : '200';
    expect(described(operation)).toMatchObject({
      operationId: operation.id,
      ...(isGuarded(operation) && operation.scope !== null ? { 'x-cairn-scope': operation.scope } : {}),
      tags: [operation.tag],
    });
    // A message of MCP may also be taken without an answer.
    const further = response.kind === 'mcp' ? ['202'] : [];
    const isOAuth = !isGuarded(operation) && operation.speaks === 'oauth';
    const failures = isOAuth
      ? ['400', '401', '429', '503']
      : errorsOf(operation).map((code) => `${ERROR_CODES[code].status}`);
    expect(Object.keys(answers).sort()).toEqual([
      ...new Set([success, ...further, ...failures].toSorted((a, b) => Number(a) - Number(b))),
      'default',
    ]);
    for (const [status, answer] of Object.entries(answers))
      for (const code of isOAuth ? [] : errorsOf(operation))
        if (`${ERROR_CODES[code].status}` === status) expect(answer['description']).toContain(`\`${code}\``);
    const media = {
      mcp: ['application/json'],
      json: ['application/json'],
      stream: ['text/event-stream'],
      socket: [],
      file: [] as string[],
    };
    if (response.kind === 'file') media.file = [...response.mediaTypes];
    expect(Object.keys((answers[success]!['content'] ?? {}) as Json)).toEqual(media[response.kind]);
    const shape = isOAuth ? 'OAuthError' : 'Problem';
    expect(JSON.stringify(answers['default'])).toContain(`#/components/schemas/${shape}`);
  });

  it.each(BY_ID)('lists the parameters of %s, those of the path as required', (_id, operation) => {
    const parameters = (described(operation)['parameters'] ?? []) as { name: string; in: string; required?: boolean }[];
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name).sort()).toEqual(placeholders(operation).sort());
    expect(inPath.every(({ required }) => required === true)).toBe(true);
    expect(parameters.some(({ name }) => name === 'idempotency-key')).toBe(
      isGuarded(operation) && operation.idempotent === true,
    );
  });

  it.each(GUARDED.filter(([, { body }]) => body !== undefined))(
    'forbids further fields in every object of the request of %s',
    (_id, operation) => {
      const open = [...objectsOf(inlined(described(operation)['requestBody']))].filter(
        ([, schema]) =>
          schema['type'] === 'object' && 'properties' in schema && schema['additionalProperties'] !== false,
      );
      expect(open.map(([path]) => path)).toEqual([]);
    },
  );

  it('never mentions a tenant as something to send', () => {
    const requests = OPERATIONS.map((operation) => [
      described(operation)['requestBody'],
      described(operation)['parameters'],
    ]);
    expect(JSON.stringify(inlined(requests))).not.toContain('tenant_id');
  });
});

/** The value with its references replaced by what they mean, each once on the way down. */
function inlined(value: unknown, seen: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((inner) => inlined(inner, seen));
  if (value === null || typeof value !== 'object') return value;
  const reference = (value as Json)['$ref'];
  if (typeof reference === 'string')
    return seen.includes(reference) ? {} : inlined(resolve(reference), [...seen, reference]);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inlined(inner, seen)]));
}

describe('a list', () => {
  const lists = OPERATIONS.flatMap((operation) => {
    const { query } = operation;
    return query instanceof z.ZodObject && 'cursor' in query.shape ? [[operation.id, query] as const] : [];
  });

  it('is found by its cursor', () => {
    expect(lists.length).toBeGreaterThanOrEqual(15);
  });

  it.each(lists)('%s refuses a cursor that it cannot have given', (_, query) => {
    for (const cursor of ['nonsense', '', 'key_', '0 OR 1', 'x'.repeat(1_000)]) {
      const { success, error } = query.safeParse({ cursor });
      expect(success).toBe(false);
      expect(error!.issues.map((issue) => issue.path)).toContainEqual(['cursor']);
    }
    // A text is cut by its bytes.
    const size = Object.hasOwn(query.shape, 'max_bytes') ? { max_bytes: '10000' } : { limit: '1' };
    expect(query.safeParse(size).success).toBe(true);
  });
});
