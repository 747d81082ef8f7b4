import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@cairn/contracts';
import { startBenchEnvironment } from './bench-environment.ts';
import { startEmitter, startReceivers, startService } from './processes.ts';

interface ChaosOptions {
  endpoints: number;
  eventsPerSecond: number;
  /** How long events are committed. */
  seconds: number;
  /** How long the broker is away, beginning at a quarter of the time. */
  brokerAwaySeconds: number;
}

export interface ChaosResult {
  committed: number;
  wanted: number;
  arrived: number;
  lost: number;
  repeats: number;
  unrecorded: number;
}

type Say = (line: string) => void;

const CATCH_UP_MS = 180_000;

/**
 * Commits events for a while, to go to several endpoints each; kills the broker with -9 under that load,
 * restarts PostgreSQL, and kills the service once; and counts what arrived of what was acknowledged.
 */
export async function runChaos(options: ChaosOptions, say: Say): Promise<ChaosResult> {
  const environment = await startBenchEnvironment();
  const receivers = await startReceivers({ alive: options.endpoints, dead: 0, keepKeys: true });
  try {
    const tenantId = newId('tenant');
    for (const url of receivers.urls) await environment.register(tenantId, url);
    const { databaseWorkerUrl, natsUrl } = environment.config;
    const emitter = await startEmitter({ databaseWorkerUrl, natsUrl, tenantIds: [tenantId] });
    let service = await startService(environment.config);
    const emitting = emitter.emit({ eventsPerSecond: options.eventsPerSecond, seconds: options.seconds });
    const quarterMs = (options.seconds * 1_000) / 4;
    await sleep(quarterMs);
    await environment.nats.kill9();
    say('the broker is gone');
    await sleep(options.brokerAwaySeconds * 1_000);
    await environment.nats.restart();
    say('the broker is back');
    await sleep(quarterMs / 2);
    await environment.restartPostgres();
    say('PostgreSQL was restarted');
    await sleep(quarterMs / 2);
    await service.close();
    service = await startService(environment.config);
    say('the service was killed and started');
    const committed = await emitting;
    const wanted = new Set(committed.flatMap((id) => receivers.urls.map((_url, n) => `${id} ${n}`)));
    const { arrived, count } = await catchUp(receivers, wanted, say);
    const unrecorded = await untilRecorded(environment, wanted.size);
    await service.close();
    await emitter.close();
    return {
      committed: committed.length,
      wanted: wanted.size,
      arrived: arrived.size,
      lost: [...wanted].filter((key) => !arrived.has(key)).length,
      repeats: count - arrived.size,
      unrecorded,
    };
  } finally {
    await receivers.close();
    await environment.remove();
  }
}

async function catchUp(receivers: Awaited<ReturnType<typeof startReceivers>>, wanted: Set<string>, say: Say) {
  const arrived = new Set<string>();
  let count = 0;
  const until = Date.now() + CATCH_UP_MS;
  for (;;) {
    const came = await receivers.take();
    count += came.count;
    for (const key of came.keys) arrived.add(key);
    if ([...wanted].every((key) => arrived.has(key))) break;
    if (Date.now() > until) {
      say('some have not arrived in time');
      break;
    }
    await sleep(250);
  }
  return { arrived, count };
}

/** Deliveries whose end is not recorded, once there was time to. */
async function untilRecorded(
  environment: Awaited<ReturnType<typeof startBenchEnvironment>>,
  wanted: number,
): Promise<number> {
  const until = Date.now() + CATCH_UP_MS;
  for (;;) {
    const [row] = await environment.ask<{ count: string }>("SELECT count(*) FROM deliveries WHERE state = 'delivered'");
    const open = wanted - Number(row!.count);
    if (open <= 0 || Date.now() > until) return Math.max(0, open);
    await sleep(250);
  }
}
