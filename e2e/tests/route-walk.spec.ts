import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { type GuardedOperation, isGuarded, OPERATIONS, type Scope, SESSION_PREFIX } from '@cairn/contracts';
import { ERROR_CODES, isErrorCode } from '@cairn/errors';
import { generateKey, generateSecret } from '@cairn/identity';
import { eventually, type SharedCairn, sharedCairn } from '@cairn/testing';
import fc from 'fast-check';
import { api, type ApiAnswer, openSession } from './api.ts';
import { type ApiDescription, malformedRequests } from './malformed-requests.ts';
import { type NewTenant, operator } from './operator.ts';
import { callOf, CALLS, EMPTY_FOR_OTHER_TENANTS, OPEN_OPERATIONS, stateOf } from './route-walk-fixtures.ts';
import { createTenantFixture, type TenantFixture } from './tenant-fixture.ts';
import { inDependencyOrder } from './sdk-calls.ts';

const GUARDED = OPERATIONS.filter(isGuarded);
/** Those that a credential needs a permission for; the others are for every valid one. */
const PERMITTED = GUARDED.filter(
  (operation): operation is GuardedOperation & { scope: Scope } => operation.scope !== null,
);
const counts = new Map<string, Map<string, number>>();

let cairn: SharedCairn;
let owner: string;
let stranger: NewTenant;
let testKey: string;
let world: TenantFixture;
let before: unknown;
const call = (method: string, path: string, body?: unknown) => api(cairn.baseUrl, owner, method, path, body);

beforeAll(async () => {
  cairn = await sharedCairn();
  const tenant = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'One', '--plan', 'enterprise');
  stranger = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Two', '--plan', 'enterprise');
  owner = tenant.api_key;
  testKey = tenant.test_api_key;
  world = await createTenantFixture(call, cairn.baseUrl, owner);
}, 120_000);
afterAll(async () => {
  process.stdout.write(`${table()}\n`);
  await cairn.remove();
});

function table(): string {
  const width = Math.max(...[...counts.keys()].map((name) => name.length));
  const lines = [...counts].map(([name, row]) => {
    const answers = [...row].sort().map(([what, count]) => `${what} × ${count}`);
    return `${name.padEnd(width)}  ${answers.join(', ')}`;
  });
  return `route walk: ${GUARDED.length} guarded operations, ${counts.size} credentials\n${lines.join('\n')}`;
}

function counted(column: string, answer: ApiAnswer): string {
  const what = answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.body.code}`;
  const row = counts.get(column) ?? new Map<string, number>();
  counts.set(column, row.set(what, (row.get(what) ?? 0) + 1));
  return what;
}

async function mint(body: object, key = owner): Promise<{ api_key: string; key_id: string }> {
  const answer = await api(cairn.baseUrl, key, 'POST', '/api/v1/api-keys', { name: 'walker', ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** Calls every guarded operation with a credential; nothing of the world may have changed after. */
async function walk(
  column: string,
  keyFor: (operation: GuardedOperation) => string | null | Promise<string | null>,
  expected: (operation: GuardedOperation, answer: ApiAnswer, what: string, names: boolean) => void,
  { send = api, operations = GUARDED }: { send?: typeof api; operations?: readonly GuardedOperation[] } = {},
): Promise<void> {
  before = await stateOf(call, world);
  for (const operation of operations) {
    const { method, path, body, headers, names } = callOf(operation, world);
    const key = await keyFor(operation);
    const answer = await send(cairn.baseUrl, key, method, path, body, headers);
    const what = counted(column, answer);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expected(operation, answer, what, names);
  }
  expect(await stateOf(call, world)).toEqual(before);
}

/** What a space's key may ask about the whole memory: it is answered as far as its own space goes. */
const OF_OWN_SPACE: readonly string[] = [
  'listSpaces',
  'listThreads',
  'exportThreads',
  'exportDocuments',
  'exportGraph',
  'getGraphOverview',
  'listEntities',
  'listContradictions',
  'listEntityReviews',
  'listEntityDecisions',
  'getMemoryHealth',
  'getDocumentStats',
  'listSearches',
  'listDocumentJobs',
];

const always = (code: string) => (operation: GuardedOperation, _answer: ApiAnswer, what: string) =>
  expect([operation.id, what]).toEqual([operation.id, code]);

/** Names of the world in an answer that its asker may not know. */
function shown(answer: ApiAnswer): string[] {
  const said = JSON.stringify(answer.body);
  const { user: _user, provider: _provider, ...ids } = world;
  return Object.values(ids).filter((id) => said.includes(id));
}

describe('the walk is whole', () => {
  it('has an entry for every operation of the OpenAPI document, and none that is not there', async () => {
    const { body: document } = await api(cairn.baseUrl, null, 'GET', '/openapi.json');
    const listed = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (item) => Object.values(item).map((operation) => operation.operationId),
    );
    expect([...Object.keys(CALLS), ...OPEN_OPERATIONS].sort()).toEqual(listed.sort());
    expect(
      OPERATIONS.filter((operation) => !isGuarded(operation))
        .map((operation) => operation.id)
        .sort(),
    ).toEqual([...OPEN_OPERATIONS].sort());
  });

  it('calls well: what only reads is answered to the owner', async () => {
    for (const operation of GUARDED.filter((one) => one.action === 'read')) {
      const { method, path, body, headers } = callOf(operation, world);
      const answer = await api(cairn.baseUrl, owner, method, path, body, headers);
      expect([operation.id, counted('its owner (reads)', answer)]).toEqual([operation.id, '200']);
    }
  });
});

describe('every operation refuses, and does nothing for', () => {
  it('no credential', () => walk('missing', () => null, always('401 credential_missing')));

  it('an unknown key of the right form', () => {
    const unknown = generateKey('live').plaintext;
    return walk('unknown', () => unknown, always('401 credential_invalid'));
  });

  it('a malformed key', () =>
    walk(
      'malformed',
      () => `${owner.slice(0, -1)}${owner.endsWith('0') ? '1' : '0'}`,
      always('401 credential_invalid'),
    ));

  it('an expired key', async () => {
    const { api_key } = await mint({ expires_at: new Date(Date.now() + 2_000).toISOString() });
    const probe = () => api(cairn.baseUrl, api_key, 'GET', '/api/v1/memories');
    await eventually(async () => (await probe()).status === 401);
    await walk('expired', () => api_key, always('401 credential_expired'));
  });

  it('a revoked key', async () => {
    const { api_key, key_id } = await mint({});
    expect((await api(cairn.baseUrl, api_key, 'GET', '/api/v1/memories')).status).toBe(200);
    expect((await call('DELETE', `/api/v1/api-keys/${key_id}`)).status).toBe(200);
    await walk('revoked', () => api_key, always('401 credential_revoked'));
  });

  it("another tenant's key, which may learn nothing", () => walk('foreign tenant', () => stranger.api_key, asStranger));

  it('a test key on live data', () => walk('test key on live data', () => testKey, asStranger));

  it("another memory's key", async () => {
    const other = (await call('POST', '/api/v1/memories', { display_name: 'Other' })).body.memory_id;
    const { api_key } = await mint({ type: 'memory', memory_id: other, scopes: MEMORY_SCOPES });
    await walk('wrong memory', () => api_key, always('403 memory_not_permitted'), { operations: PERMITTED });
    await walk(
      "wrong memory's host",
      () => api_key,
      (operation, answer, what) =>
        always(operation.path.startsWith('/api/v1/memory/') ? '403 memory_not_permitted' : '404 not_found')(
          operation,
          answer,
          what,
        ),
      { send: onMemoryHost, operations: PERMITTED },
    );
  });

  it("another space's key of the same memory", async () => {
    const { memory_id, other_space_id: space_id } = world;
    const { api_key } = await mint({ type: 'memory', memory_id, space_id, scopes: MEMORY_SCOPES });
    await walk(
      'wrong space',
      () => api_key,
      (operation, answer, what) => {
        if (operation.reach !== 'memory') return always('403 memory_not_permitted')(operation, answer, what);
        // What names the memory alone shows the key's own space, and says nothing of the other.
        if (answer.status < 400) {
          expect(OF_OWN_SPACE).toContain(operation.id);
          return expect(shown(answer).filter((id) => id !== memory_id && id !== space_id)).toEqual([]);
        }
        expect([operation.id, ['403 memory_not_permitted', '404 not_found'].includes(what)]).toEqual([
          operation.id,
          true,
        ]);
      },
      { operations: PERMITTED },
    );
  });

  it('a key without the scope', async () => {
    const all = [...new Set(PERMITTED.map((operation) => operation.scope))];
    const keys = new Map<Scope, string>();
    for (const scope of all) {
      const { api_key } = await mint({ scopes: all.filter((other) => other !== scope) });
      keys.set(scope, api_key);
    }
    await walk(
      'under-scoped',
      (operation) => keys.get(operation.scope!)!,
      (operation, answer, what) => {
        always('403 permission_denied')(operation, answer, what);
        expect(answer.body.detail).toContain(operation.scope);
      },
      { operations: PERMITTED },
    );
  });

  it('a key for other apps, or for the other action on this one', async () => {
    const apps = [...new Set(PERMITTED.map((operation) => operation.app))];
    const both = ['read', 'write'];
    const keys = new Map<string, string>();
    for (const app of apps) {
      for (const action of both) {
        const app_permissions = Object.fromEntries(
          apps.map((each) => [each, each === app ? both.filter((one) => one !== action) : both]),
        );
        keys.set(`${app} ${action}`, (await mint({ app_permissions })).api_key);
      }
      const elsewhere = Object.fromEntries(apps.filter((each) => each !== app).map((each) => [each, both]));
      keys.set(app, (await mint({ app_permissions: elsewhere })).api_key);
    }
    await walk('wrong app', ({ app }) => keys.get(app)!, always('403 permission_denied'), { operations: PERMITTED });
    await walk('wrong action', ({ app, action }) => keys.get(`${app} ${action}`)!, always('403 permission_denied'), {
      operations: PERMITTED,
    });
  });

  it('an address outside the allowlist', async () => {
    const { api_key } = await mint({ ip_allowlist: ['203.0.113.0/24', '2001:db8::/32'] });
    await walk('wrong address', () => api_key, always('403 ip_not_allowed'));
  });
});

describe('every operation refuses, and does nothing for, a session that', () => {
  /** Calls with the session in a cookie, as a browser does from a page. */
  const from =
    (cookie: string, headers: Record<string, string> = { origin: cairn.baseUrl, 'sec-fetch-site': 'same-origin' }) =>
    (...[baseUrl, , method, path, body, more = {}]: Parameters<typeof api>): Promise<ApiAnswer> =>
      api(baseUrl, null, method, path, body, { ...more, ...headers, cookie });
  const none = () => null;

  it('a page of another host uses', async () => {
    const { cookie } = await openSession(cairn.baseUrl, owner);
    await walk('session: forged origin', none, always('403 permission_denied'), {
      send: from(cookie, { origin: 'https://evil.test' }),
    });
  });

  it('another site has the browser send', async () => {
    const { cookie } = await openSession(cairn.baseUrl, owner);
    await walk('session: cross-site', none, always('403 permission_denied'), {
      send: from(cookie, { 'sec-fetch-site': 'cross-site' }),
    });
  });

  it('somebody else has fixed', () =>
    walk('session: fixed', none, always('401 credential_invalid'), {
      send: from(`cairn_session=${generateSecret(SESSION_PREFIX).plaintext}`),
    }));

  it('belongs to a key that was revoked', async () => {
    const { api_key, key_id } = await mint({});
    const { cookie } = await openSession(cairn.baseUrl, api_key);
    expect((await from(cookie)(cairn.baseUrl, null, 'GET', '/api/v1/memories')).status).toBe(200);
    expect((await call('DELETE', `/api/v1/api-keys/${key_id}`)).status).toBe(200);
    await walk('session: revoked key', none, always('401 credential_revoked'), { send: from(cookie) });
  });

  it('has expired', async () => {
    const { api_key } = await mint({ expires_at: new Date(Date.now() + 2_000).toISOString() });
    const { cookie } = await openSession(cairn.baseUrl, api_key);
    const probe = () => from(cookie)(cairn.baseUrl, null, 'GET', '/api/v1/memories');
    await eventually(async () => (await probe()).status === 401);
    await walk('session: expired', none, always('401 credential_expired'), { send: from(cookie) });
  });

  it('belongs to another tenant, and may learn nothing', async () => {
    const { cookie } = await openSession(cairn.baseUrl, stranger.api_key);
    // It would end itself.
    const operations = GUARDED.filter(({ id }) => id !== 'signOut');
    await walk('session: foreign tenant', none, asStranger, { send: from(cookie), operations });
  });
});

describe('odd requests', () => {
  /** Another one by the environment; a request that fails is named as it was sent. */
  const seed = Number(process.env['ODD_SEED'] ?? 4711);
  const PER_OPERATION = Number(process.env['ODD_REQUESTS'] ?? 6);

  it('to every operation are done or refused with a reason, and never are a failure of the server', async () => {
    const { body: document } = await api(cairn.baseUrl, null, 'GET', '/openapi.json');
    const wrong: object[] = [];
    // What the others need is deleted last.
    for (const [index, operation] of inDependencyOrder(GUARDED).filter(isGuarded).entries()) {
      const { method, path, body, headers } = callOf(operation, world);
      const described: ApiDescription = document.paths[operation.path][method.toLowerCase()];
      const good = { template: operation.path, path, body };
      const requests = malformedRequests(good, described, document.components.schemas);
      for (const odd of fc.sample(requests, { seed: seed + index, numRuns: PER_OPERATION })) {
        const sent = method === 'GET' ? undefined : odd.body;
        const answer = await api(cairn.baseUrl, owner, method, odd.path, sent, headers);
        const what = counted('its owner (odd requests)', answer);
        if (!isReasonable(operation, answer))
          wrong.push({ operation: operation.id, what, ...odd, answer: answer.body });
      }
    }
    expect(wrong.map((one) => JSON.stringify(one).slice(0, 1_500))).toEqual([]);
  }, 240_000);

  /** Done, or refused with a code of the list, its status and no word of the inside. */
  function isReasonable({ id }: GuardedOperation, { status, headers, body }: ApiAnswer): boolean {
    if (status < 400) return true;
    // Errors of JSON-RPC have codes of their own.
    if (id === 'callMcp' && body.jsonrpc === '2.0') return status === 400 && typeof body.error.code === 'number';
    // The head of a request is too large before anybody has read its address.
    if (status === 431) return body.code === 'malformed_request';
    if (!/^application\/(?:problem\+)?json\b/.test(headers.get('content-type') ?? '')) return false;
    const { code, request_id: requestId } = body;
    if (!isErrorCode(code) || ERROR_CODES[code].status !== status || typeof requestId !== 'string') return false;
    return status < 500 && !/\.ts:|node_modules|\bstack\b|SELECT |violates/.test(JSON.stringify(body));
  }
});

const MEMORY_SCOPES: Scope[] = [
  'memory:search',
  'graph:read',
  'graph:write',
  'documents:read',
  'documents:write',
  'threads:read',
  'threads:write',
  'spaces:read',
];

/** What names a resource of somebody else names nothing; the rest is about the caller's own. */
function asStranger(operation: GuardedOperation, answer: ApiAnswer, what: string, names: boolean): void {
  // Without an upgrade a WebSocket address looks nothing up.
  const expected = operation.response.kind === 'socket' ? '426 upgrade_required' : '404 not_found';
  if (names && !EMPTY_FOR_OTHER_TENANTS.includes(operation.id)) always(expected)(operation, answer, what);
  expect([operation.id, shown(answer)]).toEqual([operation.id, []]);
}

/** The same call on the host of the walked memory. */
function onMemoryHost(
  baseUrl: string,
  apiKey: string | null,
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<ApiAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = { host: world.memory_host, 'x-api-key': apiKey!, 'content-type': 'application/json', ...more };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers }, (answer) => {
      let said = '';
      answer.on('data', (chunk: Buffer) => (said += chunk.toString()));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          headers: new Headers({ 'x-request-id': String(answer.headers['x-request-id']) }),
          body: JSON.parse(said),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
