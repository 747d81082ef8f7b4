import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type RunningCairn, startCairn } from '@cairn/testing';
import type pg from 'pg';
import { api } from './api.ts';
import { databaseOf, filesWith, messagesWith, tablesWith } from './installation-state.ts';
import { type NewTenant, operator } from './operator.ts';

const ERASED_MS = 60_000;
/** The write-ahead log keeps what was written until it is recycled; PostgreSQL's rule, and said in docs/operations.md. */
const WRITE_AHEAD_LOG = /\/pg_wal\//;

let cairn: RunningCairn;
let database: pg.Client;
beforeAll(async () => {
  cairn = await startCairn();
  database = await databaseOf(cairn);
}, 90_000);
afterAll(async () => {
  await database.end();
  await cairn.remove();
});

interface Filled {
  key: string;
  memoryId: string;
  workspaceId: string;
  spaceId: string;
}

const newTenant = (name: string) =>
  operator<NewTenant>(cairn, 'tenant', 'create', '--name', name, '--plan', 'business');
const newWord = () => `canary${randomBytes(8).toString('hex')}`;

/** Writes the word everywhere a caller can write one: names, texts, files' metadata, threads, keys. */
async function fillWith(key: string, word: string): Promise<Filled> {
  const call = (method: string, path: string, body?: unknown) =>
    api(cairn.baseUrl, key, method, `/api/v1${path}`, body, { 'idempotency-key': randomUUID() });
  const { workspace } = (await call('POST', '/workspaces', { name: word, description: word })).body;
  const home = { workspace_id: workspace.workspace_id };
  const { memory_id } = (await call('POST', '/memories', { display_name: word, ...home })).body;
  const { space_id } = (await call('POST', '/spaces', { name: word, description: word, memory_id })).body;
  await call('PUT', `/spaces/${space_id}/members/${word}`, { role: 'reader' });
  await call('POST', '/api-keys', { name: word, type: 'memory', memory_id });
  // What it is sent tells the titles of documents.
  await call('POST', '/webhooks', { url: 'https://hooks.invalid/', events: ['memory.ingest.completed'] });
  const document = {
    content: `# ${word}\n\nThis is about ${word} and nothing else.`,
    title: word,
    metadata: { about: word },
    external_id: word,
  };
  await call('POST', '/memory/documents', { ...document, memory_id });
  // Another one: routing would find the first to be the same document, if it goes into the space, too.
  await call('POST', '/memory/documents', { ...document, external_id: `${word}-2`, memory_id, space_id });
  const thread = (await call('POST', '/threads', { title: word, memory_id, space_id, user: word })).body;
  await call('POST', `/threads/${thread.thread_id}/turns`, { role: 'user', content: word });
  await eventually(
    () => call('GET', `/memory/documents?memory_id=${memory_id}&status=completed`),
    ({ body }) => body.documents.length === 2,
    ERASED_MS,
  );
  await call('PATCH', `/memories/${memory_id}/search-log`, { enabled: true });
  const { search_id } = (await call('POST', '/memory/search', { query: `What is ${word}?`, memory_id })).body;
  const rating = { helpful: false, comment: `Nothing about ${word}`, memory_id };
  expect((await call('POST', `/memory/searches/${search_id}/feedback`, rating)).status).toBe(200);
  await research(key, memory_id, `What does the document say about ${word} and nothing else?`);
  return { key, memoryId: memory_id, workspaceId: workspace.workspace_id, spaceId: space_id };
}

/** A run over the memory, which keeps what it read and writes a report of it. */
async function research(key: string, memoryId: string, query: string): Promise<void> {
  const call = (method: string, path: string, body?: unknown) =>
    api(cairn.baseUrl, key, method, `/api/v1/search${path}`, body);
  const body = { query, memory_id: memoryId, config: { sources: ['memory'] } };
  const { thread_id } = (await call('POST', '/research/start', body)).body;
  await eventually(
    () => call('GET', `/workflow/status/${thread_id}`),
    (answer) => answer.body.status === 'completed',
    ERASED_MS,
  );
}

async function traces(word: string): Promise<string[]> {
  return [...(await tablesWith(database, word)), ...(await messagesWith(cairn, word))];
}

describe('after the deletion', () => {
  it('of a workspace with its memories no row, message or file holds a word of it', async () => {
    const tenant = await newTenant('Erased');
    const word = newWord();
    const { workspaceId } = await fillWith(tenant.api_key, word);
    expect((await traces(word)).length).toBeGreaterThan(5);
    await api(cairn.baseUrl, tenant.api_key, 'DELETE', `/api/v1/workspaces/${workspaceId}`);
    await eventually(
      () => traces(word),
      (left) => left.length === 0,
      ERASED_MS,
    );
    await database.query('VACUUM FULL');
    await database.query('CHECKPOINT');
    expect(await filesWith(await cairn.files(), word, WRITE_AHEAD_LOG)).toEqual([]);
  }, 120_000);

  it('of a space nothing of it is left, and the rest of its memory is untouched', async () => {
    const tenant = await newTenant('Partly');
    const [word, stays] = [newWord(), newWord()];
    const call = (method: string, path: string, body?: unknown) =>
      api(cairn.baseUrl, tenant.api_key, method, `/api/v1${path}`, body);
    const { space_id, memory_id } = (await call('POST', '/spaces', { name: word })).body;
    await call('POST', '/memory/documents', { content: `${word} in a space`, title: word, space_id });
    await call('POST', '/memory/documents', { content: `${stays} beside it`, title: stays });
    const thread = (await call('POST', '/threads', { title: word, space_id })).body;
    await call('POST', `/threads/${thread.thread_id}/turns`, { role: 'user', content: word });
    const key = (await call('POST', '/api-keys', { name: word, type: 'memory', memory_id, space_id })).body.api_key;
    await eventually(
      () => call('GET', '/memory/documents?status=completed'),
      ({ body }) => body.documents.length === 2,
      ERASED_MS,
    );
    expect((await api(cairn.baseUrl, key, 'GET', '/api/v1/threads')).status).toBe(200);
    await research(tenant.api_key, memory_id, 'Which document lies in a space?');
    expect(await tablesWith(database, word)).toContain('research.sources');
    await call('DELETE', `/spaces/${space_id}`);
    await eventually(
      () => traces(word),
      (left) => left.length === 0,
      ERASED_MS,
    );
    expect((await call('POST', '/memory/search', { query: stays })).body.results).toHaveLength(1);
  }, 120_000);

  it('of a tenant nothing of it and its twin is left, and another tenant’s data is untouched', async () => {
    const [tenant, bystander] = [await newTenant('Leaver'), await newTenant('Stayer')];
    const [word, stays] = [newWord(), newWord()];
    await fillWith(tenant.api_key, word);
    await fillWith(tenant.test_api_key, word);
    const other = await fillWith(bystander.api_key, stays);
    await operator(cairn, 'tenant', 'delete', tenant.tenant_id, '--yes');
    await eventually(
      () => traces(word),
      (left) => left.length === 0,
      ERASED_MS,
    );
    await eventually(
      () => tablesWith(database, tenant.tenant_id),
      (tables) => tables.every((table) => IDENTIFIERS_STAY.includes(table)),
      ERASED_MS,
    );
    const found = await api(cairn.baseUrl, other.key, 'POST', '/api/v1/memory/search', {
      query: stays,
      memory_id: other.memoryId,
    });
    expect(found.body.results).toHaveLength(2);
  }, 120_000);
});

/** Marks by which nothing that was deleted comes back: identifiers and digests, no word. */
const IDENTIFIERS_STAY = [
  'memory.closed_scopes',
  'tenancy.subdomains',
  'webhooks.closed_scopes',
  'research.closed_scopes',
  'usage.closed_tenants',
  // What announces the deletion itself is published after it, and kept for some hours in case the broker is lost.
  'keys.published_events',
  'tenancy.published_events',
  // Who changed what in it, by identifiers, for as long.
  'memory.published_events',
];

describe('a suspended tenant', () => {
  it('is refused on every path, its data untouched; resumed, all is there', async () => {
    const tenant = await newTenant('Sleeper');
    const word = newWord();
    const { memoryId } = await fillWith(tenant.api_key, word);
    const search = () =>
      api(cairn.baseUrl, tenant.api_key, 'POST', '/api/v1/memory/search', { query: word, memory_id: memoryId });
    const before = (await search()).body.results;
    const suspended = await operator<{ status: string }>(cairn, 'tenant', 'suspend', tenant.tenant_id);
    expect(suspended.status).toBe('suspended');
    // Gateways look again after half a minute at the latest.
    await eventually(search, ({ status }) => status === 403, 40_000);
    for (const path of ['/memories', '/threads', '/api-keys']) {
      const answer = await api(cairn.baseUrl, tenant.api_key, 'GET', `/api/v1${path}`);
      expect([path, answer.status]).toEqual([path, 403]);
    }
    await operator(cairn, 'tenant', 'resume', tenant.tenant_id);
    await eventually(search, ({ status }) => status === 200, 40_000);
    expect((await search()).body.results).toEqual(before);
  }, 120_000);
});

describe('50 parallel creations of workspaces with 2 places left', () => {
  it('make exactly 2, and refuse 48 with 402 and a complete upgrade', async () => {
    const tenant = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Crowd', '--plan', 'team');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        api(cairn.baseUrl, tenant.api_key, 'POST', '/api/v1/workspaces', { name: `w${index}` }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(2);
    const refused = answers.filter((answer) => answer.status === 402);
    expect(refused).toHaveLength(48);
    for (const { body } of refused) {
      expect(body).toMatchObject({ code: 'plan_limit_reached' });
      expect(Object.keys(body.upgrade).sort()).toEqual(
        ['current', 'limit', 'note', 'plan', 'resource', 'suggested_plan', 'upgrade_url'].sort(),
      );
    }
  });
});
