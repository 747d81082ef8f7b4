import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  encodeEvent,
  type Event,
  EVENT_CONSUMERS,
  EVENT_PUBLISHERS,
  EVENT_SERVICES,
  type EventConsumer,
  type EventKind,
  type EventService,
  publishableSubject,
} from '@cairn/contracts';
import { type EmbeddedNats, startNats } from '@cairn/embedded';
import { eventually, probeNats, temporaryFolder, type TestDatabase } from '@cairn/testing';
import {
  brokerPermissions,
  connectEventBus,
  consumeEvents,
  DEAD_LETTER_STREAM,
  eraseEvents,
  EVENT_STREAM,
  type EventBus,
  publishEvent,
} from '../src/index.ts';
import { createEventsDatabase, silent } from './event-fixtures.ts';

const SCOPE = { tenantId: 'tnt_1', livemode: true, workspaceId: 'wsp_1', memoryId: 'mem_1' };
const KINDS = Object.keys(EVENT_PUBLISHERS) as EventKind[];
const USERS = Object.entries(brokerPermissions()).map(([name, permissions]) => ({ name, ...permissions }));

let folder: string;
let nats: EmbeddedNats;
let database: TestDatabase;
let admin: EventBus;
const buses = new Map<EventService, EventBus>();
beforeAll(async () => {
  folder = await temporaryFolder('cairn-permissions-');
  const options = { dataDir: join(folder, 'nats'), cacheDir: process.env['CAIRN_TEST_CACHE_DIR']! };
  // As an earlier version left it: one user, who may do everything.
  await startNats(options);
  nats = await startNats({ ...options, users: USERS });
  database = await createEventsDatabase();
  admin = await connectEventBus({ natsUrl: nats.url, name: 'spec' });
  for (const service of EVENT_SERVICES) {
    // A server that was taken over learns of its users a moment later.
    const bus = await eventually(
      () => connectEventBus({ natsUrl: nats.urlOf(service), name: service }).catch(() => null),
      (connected) => connected !== null,
    );
    buses.set(service, bus!);
  }
});
afterAll(async () => {
  for (const bus of [...buses.values(), admin]) await bus.close();
  await nats.stop();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Those of the subjects that the service may publish or subscribe to. */
async function allowed(
  service: EventService,
  right: 'mayPublish' | 'maySubscribe',
  subjects: readonly string[],
): Promise<string[]> {
  const probe = await probeNats(nats.urlOf(service));
  const found: string[] = [];
  for (const subject of subjects) if (await probe[right](subject)) found.push(subject);
  probe.close();
  return found;
}

describe('the user of a service at the broker', () => {
  it.each(EVENT_SERVICES)('lets %s publish the events that it writes and no other', async (service) => {
    const subjectOf = (kind: EventKind) => publishableSubject(kind).replace('*.*.*', 'tnt_x.wsp_x.mem_x');
    const own = KINDS.filter((kind) => EVENT_PUBLISHERS[kind].includes(service));
    expect(await allowed(service, 'mayPublish', KINDS.map(subjectOf))).toEqual(own.map(subjectOf));
  });

  it.each(EVENT_SERVICES)('lets %s subscribe to the replies to its own requests and nothing else', async (service) => {
    const subjects = ['>', 'cairn.>', 'cairn.event.>', 'cairn.dead.>', '$JS.>', '$JS.ACK.>', '$SYS.>', '_INBOX.>', '*'];
    const inboxes = EVENT_SERVICES.map((other) => `_INBOX_${other}.>`);
    expect(await allowed(service, 'maySubscribe', [...subjects, ...inboxes])).toEqual([`_INBOX_${service}.>`]);
  });

  it.each(EVENT_SERVICES)('gives %s no power over streams, nor over durables of others', async (service) => {
    const streams = [EVENT_STREAM, DEAD_LETTER_STREAM].flatMap((stream) =>
      ['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'INFO', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'].map(
        (verb) => `$JS.API.STREAM.${verb}.${stream}`,
      ),
    );
    const others = Object.values<EventConsumer>(EVENT_CONSUMERS).flatMap(({ durable }) => [
      ...['INFO', 'DELETE', 'MSG.NEXT', 'DURABLE.CREATE', 'CREATE'].map(
        (verb) => `$JS.API.CONSUMER.${verb}.${EVENT_STREAM}.${durable}`,
      ),
      `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.cairn.event.>`,
      `$JS.ACK.${EVENT_STREAM}.${durable}.1.1.1.1.1`,
      `cairn.dead.${durable}.tnt_x.wsp_x.mem_x`,
    ]);
    const more = [
      '$JS.API.INFO',
      '$JS.API.STREAM.NAMES',
      '$JS.API.STREAM.LIST',
      `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}`,
    ];
    const found = await allowed(service, 'mayPublish', [...streams, ...others, ...more]);
    const own = Object.values<EventConsumer>(EVENT_CONSUMERS).filter((consumer) => consumer.service === service);
    const expected = [
      ...(service === 'tenancy'
        ? [EVENT_STREAM, DEAD_LETTER_STREAM].flatMap((stream) => [
            `$JS.API.STREAM.MSG.GET.${stream}`,
            `$JS.API.STREAM.MSG.DELETE.${stream}`,
          ])
        : []),
      ...own.flatMap(({ durable }) => [
        ...['INFO', 'DELETE', 'MSG.NEXT'].map((verb) => `$JS.API.CONSUMER.${verb}.${EVENT_STREAM}.${durable}`),
        `$JS.ACK.${EVENT_STREAM}.${durable}.1.1.1.1.1`,
        `cairn.dead.${durable}.tnt_x.wsp_x.mem_x`,
      ]),
    ];
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('does not let a durable read other events by saying so inside the request', async () => {
    const { durable, subject } = EVENT_CONSUMERS.keysTenants;
    const { connection } = buses.get('keys')!;
    for (const filter of [{ filter_subject: 'cairn.event.>' }, { filter_subjects: ['cairn.event.>'] }, {}]) {
      const request = {
        stream_name: EVENT_STREAM,
        config: { durable_name: durable, ack_policy: 'explicit', ...filter },
      };
      const reply = await connection.request(
        `$JS.API.CONSUMER.CREATE.${EVENT_STREAM}.${durable}.${subject}`,
        JSON.stringify(request),
        { timeout: 5_000 },
      );
      expect(reply.json()).toMatchObject({ error: { code: 400 } });
    }
  });
});

describe('a service with the user of its own', () => {
  it('publishes, consumes and erases all that it has to', async () => {
    const heard: Event[] = [];
    const consumer = await consumeEvents({
      bus: buses.get('keys')!,
      ...EVENT_CONSUMERS.keysTenants,
      database: database.worker,
      logger: silent,
      handle: async (_tx, event) => void heard.push(event),
    });
    const event = encodeEvent('tenantChanged', SCOPE, { plan: 'team', status: 'active' });
    await publishEvent(buses.get('tenancy')!, event);
    await eventually(
      async () => heard.map(({ eventId }) => eventId),
      (ids) => ids.includes(event.eventId),
    );
    await consumer.close();
    expect(await eraseEvents(buses.get('tenancy')!, { tenantId: SCOPE.tenantId })).toBe(1);
  });

  it('stores an event that belongs to another subject as a dead letter and does not act on it', async () => {
    const heard: Event[] = [];
    const consumer = await consumeEvents({
      bus: buses.get('usage')!,
      ...EVENT_CONSUMERS.usageCalls,
      database: database.worker,
      logger: silent,
      backoffMs: [1],
      handle: async (_tx, event) => void heard.push(event),
    });
    // Memory may publish calls of models; what is inside says that a tenant has changed.
    const forged = encodeEvent('tenantChanged', SCOPE, { plan: 'enterprise', status: 'active' });
    const subject = publishableSubject('llmUsage').replace('*.*.*', 'tnt_1.wsp_1.mem_1');
    await publishEvent(buses.get('memory')!, { ...forged, subject });
    const letter = await eventually(
      () =>
        admin.manager.streams
          .getMessage(DEAD_LETTER_STREAM, { last_by_subj: 'cairn.dead.usage-calls.tnt_1.wsp_1.mem_1' })
          .catch(() => null),
      (found) => found !== null,
    );
    expect(letter!.header.get('cairn-cause')).toMatch(/^an event of tenancy was published under /);
    // What the specs above published was empty.
    expect(heard.filter((event) => event.payload.case !== undefined)).toEqual([]);
    await consumer.close();
  });
});
