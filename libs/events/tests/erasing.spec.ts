import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEAD_LETTER_SUBJECT_ROOT, encodeEvent, type EncodedEvent, newId } from '@cairn/contracts';
import { eventually, startTestNats, type TestNats } from '@cairn/testing';
import { headers } from 'nats';
import {
  connectEventBus,
  DEAD_LETTER_STREAM,
  type EventsOf,
  eraseEvents,
  EVENT_STREAM,
  type EventBus,
  publishEvent,
} from '../src/index.ts';

let nats: TestNats;
let bus: EventBus;
beforeAll(async () => {
  nats = await startTestNats();
  bus = await connectEventBus({ natsUrl: nats.url, name: 'spec' });
});
afterAll(async () => {
  await bus.close();
  await nats.remove();
});

type Scope = Required<Pick<EventsOf, 'tenantId' | 'workspaceId' | 'memoryId'>>;

function newScope(beside: Partial<Scope> = {}): Scope {
  return { tenantId: newId('tenant'), workspaceId: newId('workspace'), memoryId: newId('memory'), ...beside };
}

const telling = (scope: Scope, title: string, vaultId = newId('vault')): EncodedEvent =>
  encodeEvent('ingestCompleted', { ...scope, livemode: true }, { docId: newId('document'), vaultId, title, chunks: 1 });

async function publish(scope: Scope, title: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await publishEvent(bus, telling(scope, `${title} ${n} ${'long '.repeat(50)}`));
}

async function bury(scope: Scope, title: string): Promise<void> {
  const cause = headers();
  cause.set('cairn-cause', `could not handle ${title}`);
  const subject = [DEAD_LETTER_SUBJECT_ROOT, 'some-consumer', scope.tenantId, scope.workspaceId, scope.memoryId];
  await bus.jetStream.publish(subject.join('.'), telling(scope, title).payload, { headers: cause });
}

/** Files of the broker that hold the text. */
async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(nats.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)));
  return files.filter((_, n) => found[n]);
}

const messagesIn = async (stream: string) => (await bus.manager.streams.info(stream)).state.messages;

describe('erasing the events of a memory', () => {
  it('leaves nothing of them on the broker’s disk, and everything of others', async () => {
    const gone = newScope();
    const kept = newScope({ tenantId: gone.tenantId, workspaceId: gone.workspaceId });
    for (let round = 0; round < 3; round += 1) {
      await publish(gone, 'qwgone', 40);
      await publish(kept, 'qwkept', 40);
    }
    await bury(gone, 'qwgonedead');
    await bury(kept, 'qwkeptdead');
    // The broker writes a moment after it acknowledges.
    await eventually(
      () => filesWith('qwgonedead'),
      (files) => files.length > 0,
    );
    expect(await filesWith('qwgone')).not.toEqual([]);
    const before = [await messagesIn(EVENT_STREAM), await messagesIn(DEAD_LETTER_STREAM)];
    expect(await eraseEvents(bus, gone)).toBe(121);
    expect([await messagesIn(EVENT_STREAM), await messagesIn(DEAD_LETTER_STREAM)]).toEqual([
      before[0]! - 120,
      before[1]! - 1,
    ]);
    expect(await filesWith('qwgone')).toEqual([]);
    expect(await filesWith('qwkept')).not.toEqual([]);
    expect(await eraseEvents(bus, gone)).toBe(0);
    await nats.stop();
    await nats.restart();
    expect(await filesWith('qwgone')).toEqual([]);
    expect(await eventually(() => messagesIn(EVENT_STREAM))).toBe(before[0]! - 120);
  });

  it('also of such as were published right before', async () => {
    const scope = newScope();
    await publish(scope, 'qwfresh', 5);
    await eraseEvents(bus, scope);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await filesWith('qwfresh')).toEqual([]);
  });

  it('is finished by another call when the broker was killed in the middle', async () => {
    const scope = newScope();
    await publish(scope, 'qwkilled', 400);
    const interrupted = eraseEvents(bus, scope).then(
      () => 'finished',
      () => 'interrupted',
    );
    const all = await messagesIn(EVENT_STREAM);
    await eventually(
      () => messagesIn(EVENT_STREAM),
      (left) => left < all - 20,
    );
    await nats.kill9();
    await nats.restart();
    await interrupted;
    await eventually(() => bus.ping().then(() => true));
    await eventually(
      () => eraseEvents(bus, scope),
      (erased) => erased === 0,
    );
    expect(await filesWith('qwkilled')).toEqual([]);
  });

  it('takes a whole workspace or tenant, or only what holds an id', async () => {
    const one = newScope();
    const two = newScope({ tenantId: one.tenantId, workspaceId: one.workspaceId });
    const three = newScope({ tenantId: one.tenantId });
    const vault = newId('vault');
    await publishEvent(bus, telling(one, 'qwinvault', vault));
    for (const scope of [one, two, three]) await publish(scope, 'qwtenant', 2);
    expect(await eraseEvents(bus, { ...one, mentions: vault })).toBe(1);
    expect(await filesWith('qwinvault')).toEqual([]);
    expect(await eraseEvents(bus, { tenantId: one.tenantId, workspaceId: one.workspaceId })).toBe(4);
    expect(await eraseEvents(bus, { tenantId: one.tenantId })).toBe(2);
  });

  it('by several at once takes each once', async () => {
    const scope = newScope();
    await publish(scope, 'qwtogether', 50);
    const erased = await Promise.all([eraseEvents(bus, scope), eraseEvents(bus, scope), eraseEvents(bus, scope)]);
    expect(erased.reduce((sum, count) => sum + count, 0)).toBe(50);
  });
});
