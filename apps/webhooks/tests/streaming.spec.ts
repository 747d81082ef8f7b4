import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventKind, newId, type StreamEvent } from '@cairn/contracts';
import * as operations from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { callService, eventually, testIdentity } from '@cairn/testing';
import { eraseScope } from '../src/erasure/erase-scope.ts';
import { expireEvents } from '../src/stream/expire-events.ts';
import { type ForkedService, forkService } from './forked-service.ts';
import { type Environment, ingested, MEMORY, newTenant, startEnvironment } from './webhooks-harness.ts';

const PATH = '/api/v1/events/stream';
const DAY_MS = 86_400_000;

interface Sent {
  id: string;
  event: string;
  data: { event_id?: string };
}

let environment: Environment;
let service: ForkedService;
let url: string;
beforeAll(async () => {
  environment = await startEnvironment();
  await start();
});
afterAll(async () => {
  await service.kill9();
  await environment.close();
});

async function start(): Promise<void> {
  service = forkService({ config: environment.config });
  url = (await service.ready).http;
}

/** Emits as many events and returns their ids, once all of them are taken in. */
async function emitted(tenant: Identity, count: number, memoryId = MEMORY): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push(await environment.emit(tenant, 'ingestCompleted', ingested(), { memoryId }));
  await takenIn(ids);
  return ids;
}

async function takenIn(ids: readonly string[]): Promise<void> {
  await eventually(
    () => environment.ask('SELECT 1 FROM tenant_events WHERE event_id = ANY($1)', [ids]),
    (rows) => rows.length === ids.length,
    30_000,
  );
}

function parse(text: string): Sent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('id: '))
    .map((block) => {
      const [id, event, data] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
      return { id: id!, event: event!, data: JSON.parse(data!) as Sent['data'] };
    });
}

/** What there is after the position, to the end. */
async function readAll(identity: Identity, query = '', lastEventId = '0') {
  const answer = await callService<string>(environment.identities, identity, {
    service: 'webhooks',
    url,
    path: `${PATH}?follow=false${query}`,
    headers: { 'last-event-id': lastEventId },
  });
  const sent = typeof answer.body === 'string' ? parse(answer.body) : [];
  return { status: answer.status, sent, ids: eventIdsOf(sent) };
}

const eventIdsOf = (sent: readonly Sent[]) => sent.flatMap(({ data }) => data.event_id ?? []);

/** Reads a stream that goes on, until it has brought so many events or breaks off. */
async function readLive(identity: Identity, count: number, lastEventId?: string, onOpen?: () => Promise<unknown>) {
  const headers = await environment.identities.headersFor(identity, { service: 'webhooks', method: 'GET', url: PATH });
  const abort = new AbortController();
  const response = await fetch(url + PATH, {
    headers: { ...headers, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
    signal: abort.signal,
  });
  let text = '';
  let opening: Promise<unknown> | undefined;
  for await (const part of response.body!) {
    text += Buffer.from(part as Uint8Array).toString();
    // The first event says where the stream begins.
    if (onOpen !== undefined && text.includes('\n\n')) opening ??= onOpen();
    if (eventIdsOf(parse(text)).length >= count) break;
  }
  await opening;
  abort.abort();
  return parse(text);
}

describe('the stream of a tenant', () => {
  it('sends what happens from now on, each event once and in order, and others nothing of it', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    await emitted(tenant, 2);
    let later: string[] = [];
    const sent = await readLive(tenant, 3, undefined, async () => {
      later = await emitted(tenant, 3);
    });
    expect(eventIdsOf(sent)).toEqual(later);
    expect((await readAll(other)).ids).toEqual([]);
    expect((await readAll({ ...tenant, livemode: false })).ids).toEqual([]);
  });

  it('goes on without gap or repeat when the service was killed and more happened meanwhile', async () => {
    const tenant = newTenant();
    const before = await emitted(tenant, 120);
    const seen = (await readLive(tenant, 50, '0')).filter(({ data }) => data.event_id !== undefined).slice(0, 50);
    await service.kill9();
    const meanwhile: string[] = [];
    for (let n = 0; n < 20; n += 1) meanwhile.push(await environment.emit(tenant, 'ingestCompleted', ingested()));
    await start();
    await takenIn(meanwhile);
    const rest = await readAll(tenant, '', seen.at(-1)!.id);
    const received = [...eventIdsOf(seen), ...rest.ids];
    expect(received.slice(0, before.length)).toEqual(before);
    // What the killed service had in hand is delivered again, after what came later.
    expect(received.slice(before.length).toSorted()).toEqual(meanwhile.toSorted());
  }, 120_000);

  it('shows each type to those only who hold its scope', async () => {
    const tenant = newTenant();
    const created = await environment.emit(tenant, 'entityCreated', { entityId: 'ent_1', name: 'Ada', type: 'person' });
    const completed = await emitted(tenant, 1);
    await takenIn([created]);
    const may = (scopes: Identity['scopes'], query = '') => readAll({ ...tenant, scopes }, query);
    expect((await may(['graph:read'])).ids).toEqual([created]);
    expect((await may(['documents:read'])).ids).toEqual(completed);
    expect((await may(['documents:read', 'graph:read'], '&types=memory.entity.created')).ids).toEqual([created]);
    expect((await may(['documents:read'], '&types=memory.entity.created')).status).toBe(403);
    expect((await may(['webhooks:read'])).status).toBe(403);
  });

  it('tells of runs and credentials as the contract has it, to those who hold their scopes', async () => {
    const tenant = newTenant();
    const emit = (...event: [EventKind, object, string?]) =>
      environment.emit(tenant, event[0], event[1], { memoryId: event[2] ?? '_' });
    const ids = [
      await emit('documentsQueued', { docIds: ['doc_1', 'doc_2'], vaultId: 'vlt_1' }, MEMORY),
      await emit('documentFailed', { docId: 'doc_1', vaultId: 'vlt_1', title: 'A', code: 'c', message: 'm' }, MEMORY),
      await emit('documentsDeleted', { docIds: ['doc_2'], vaultId: 'vlt_1' }, MEMORY),
      await emit('runStatusChanged', { threadId: 'thr_1', kind: 'web', status: 'running' }, MEMORY),
      await emit('keyCreated', { keyId: 'key_1', kind: 'live' }),
      await emit('keyRevoked', { keyId: 'key_1' }),
    ];
    await takenIn(ids);
    const { sent } = await readAll(tenant);
    const told = new Map(sent.map(({ event, data }) => [event, data]));
    expect(new Set(eventIdsOf(sent))).toEqual(new Set(ids));
    for (const [event, data] of told) {
      if (event === 'stream.position') continue;
      const schema = operations.streamEvents.response.events[event as StreamEvent];
      expect([event, schema.safeParse(data).error]).toEqual([event, undefined]);
    }
    expect(told.get('research.run.status_changed')).toMatchObject({
      payload: { thread_id: 'thr_1', kind: 'web', status: 'running' },
    });
    const typesFor = async (scopes: Identity['scopes'], more: Partial<Identity> = {}) => {
      const seen = await readAll({ ...testIdentity({ ...tenant, ...more }), scopes });
      return new Set(seen.sent.filter(({ data }) => data.event_id !== undefined).map(({ event }) => event));
    };
    expect(await typesFor(['search:run'])).toEqual(new Set(['research.run.status_changed']));
    expect(await typesFor(['keys:read'])).toEqual(new Set(['credential.created', 'credential.revoked']));
    // A credential of one memory learns nothing of others.
    expect(await typesFor(['keys:read', 'search:run'], { memoryId: MEMORY })).toEqual(
      new Set(['research.run.status_changed']),
    );
    expect(await typesFor(['keys:read'], { appPermissions: { keys: ['read'] } })).not.toEqual(new Set());
    expect((await readAll({ ...tenant, scopes: ['keys:read'], appPermissions: { memory: ['read'] } })).status).toBe(
      403,
    );
  });

  it('shows a credential of a memory that memory, and refuses one of a space', async () => {
    const tenant = newTenant();
    const other = newId('memory');
    const own = await emitted(tenant, 2);
    const others = await emitted(tenant, 1, other);
    const bound = testIdentity({ ...tenant, memoryId: MEMORY });
    expect((await readAll(bound)).ids).toEqual(own);
    expect((await readAll(tenant, `&memory_id=${other}`)).ids).toEqual(others);
    expect((await readAll(bound, `&memory_id=${other}`)).status).toBe(403);
    expect((await readAll({ ...bound, spaceId: newId('space') })).status).toBe(403);
  });

  it('says how far it is where nothing matches, and refuses positions that it cannot go on from', async () => {
    const tenant = newTenant();
    await emitted(tenant, 3);
    const { sent } = await readAll(tenant, '&types=memory.health.assessed');
    expect(sent.map(({ event, id }) => [event, id])).toEqual([
      ['stream.position', '0'],
      ['stream.position', '3'],
    ]);
    expect((await readAll(tenant, '', '4')).status).toBe(409);
    expect((await readAll(tenant, '', 'x')).status).toBe(422);
    await expireEvents(environment.database.worker, new Date(Date.now() + 4 * DAY_MS));
    expect((await readAll(tenant, '', '2')).status).toBe(409);
    expect(await readAll(tenant, '', '3')).toMatchObject({ status: 200, ids: [] });
  });

  it('has nothing of what was erased', async () => {
    const tenant = newTenant();
    const other = newId('memory');
    await emitted(tenant, 2);
    const left = await emitted(tenant, 2, other);
    await eraseScope(environment.database.worker, { tenantId: tenant.tenantId, memoryId: MEMORY, vaultId: '' });
    expect((await readAll(tenant)).ids).toEqual(left);
    await eraseScope(environment.database.worker, { tenantId: tenant.tenantId, memoryId: '', vaultId: '' });
    for (const table of ['tenant_events', 'event_positions'])
      expect(await environment.ask(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenant.tenantId])).toEqual([]);
  });
});
