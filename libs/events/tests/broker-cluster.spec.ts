import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { subjectOfKind } from '@cairn/contracts';
import { eventually, startTestNatsCluster, type TestDatabase, type TestNatsCluster } from '@cairn/testing';
import {
  connectEventBus,
  consumeEventBatches,
  consumeEvents,
  DEAD_LETTER_STREAM,
  EVENT_STREAM,
  type EventBus,
  relayOutbox,
  runEventWork,
} from '../src/index.ts';
import { commitEvent, createEventsDatabase, ingested, silent, titleOf } from './event-fixtures.ts';

/** Forming a cluster and an election take seconds each, and longer on a busy machine. */
const ELECTION_MAX_MS = 60_000;
/** Measured: 8 to 9 s; without heartbeats 20 to 45 s. */
const RESUMED_MAX_MS = 12_000;
const SUBJECT = subjectOfKind('ingestCompleted');

let cluster: TestNatsCluster;
let database: TestDatabase;
let bus: EventBus;

beforeAll(async () => {
  [cluster, database] = await Promise.all([startTestNatsCluster(), createEventsDatabase()]);
  bus = await connected(3);
}, ELECTION_MAX_MS);
afterAll(async () => {
  await bus?.close();
  await database.close();
  await cluster.remove();
});

async function connected(eventsReplicas?: number): Promise<EventBus> {
  let found: EventBus | null = null;
  await eventually(
    async () => {
      found = await connectEventBus({ natsUrl: cluster.url, name: 'spec', eventsReplicas }).catch(() => null);
      return found !== null;
    },
    Boolean,
    ELECTION_MAX_MS,
  );
  return found!;
}

const replicasOf = async (stream: string) => (await bus.manager.streams.info(stream)).config.num_replicas;

describe('the streams of a cluster', () => {
  it('have the replicas that are configured, and a service that was told less takes none away', async () => {
    expect([await replicasOf(EVENT_STREAM), await replicasOf(DEAD_LETTER_STREAM)]).toEqual([3, 3]);
    const other = await connected();
    await other.close();
    expect([await replicasOf(EVENT_STREAM), await replicasOf(DEAD_LETTER_STREAM)]).toEqual([3, 3]);
  });

  it('are given more replicas when more are configured', async () => {
    await bus.manager.streams.update(DEAD_LETTER_STREAM, {
      ...(await bus.manager.streams.info(DEAD_LETTER_STREAM)).config,
      num_replicas: 1,
    });
    const other = await connected(3);
    await other.close();
    expect(await replicasOf(DEAD_LETTER_STREAM)).toBe(3);
  });
});

describe('a consumer whose leader is killed', () => {
  it(
    'goes on by itself within 12 s and loses nothing, one by one and in batches',
    async () => {
      const arrivals = { single: new Map<string, number>(), batch: new Map<string, number>() };
      const work = runEventWork({
        broker: { natsUrl: cluster.url },
        name: 'cluster',
        logger: silent,
        async start(own) {
          const common = { bus: own, subject: SUBJECT, logger: silent };
          return [
            await relayOutbox({ bus: own, database: database.worker, schema: 'events', logger: silent }),
            await consumeEvents({
              ...common,
              durable: 'single',
              database: database.worker,
              handle: async (_tx, event) => void arrivals.single.set(titleOf(event)!, performance.now()),
            }),
            await consumeEventBatches({
              ...common,
              durable: 'batch',
              read: (event) => titleOf(event)!,
              async handle(titles) {
                for (const title of titles) arrivals.batch.set(title, performance.now());
              },
            }),
          ];
        },
      });
      const titles: string[] = [];
      let committing = true;
      const commits = (async () => {
        for (let n = 0; committing; n += 1) {
          titles.push(`event-${n}`);
          await commitEvent(database.app, ingested(`event-${n}`));
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      })();
      await eventually(() => arrivals.single.size > 20 && arrivals.batch.size > 20, Boolean, ELECTION_MAX_MS);

      const { cluster: raft } = await bus.manager.consumers.info(EVENT_STREAM, 'single');
      const killedAt = performance.now();
      await cluster.kill9(raft!.leader!);
      for (const name of ['single', 'batch'] as const) {
        const resumed = () => [...arrivals[name].values()].some((at) => at > killedAt + 1_500);
        await eventually(resumed, Boolean, ELECTION_MAX_MS);
        const gapMs = Math.min(...[...arrivals[name].values()].filter((at) => at > killedAt + 1_500)) - killedAt;
        expect(gapMs).toBeLessThan(RESUMED_MAX_MS);
      }
      committing = false;
      await commits;
      const isComplete = () => arrivals.single.size === titles.length && arrivals.batch.size === titles.length;
      // What was on its way to a consumer when its leader died comes again after the wait for acknowledgements.
      await eventually(isComplete, Boolean, ELECTION_MAX_MS);
      await work.close();
    },
    3 * ELECTION_MAX_MS,
  );
});
