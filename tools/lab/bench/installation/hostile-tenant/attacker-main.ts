import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackContext } from './attack.ts';
import { BODY_ATTACKS } from './body-attacks.ts';
import { FLOOD_ATTACKS } from './flood-attacks.ts';
import { createHostileClient } from './hostile-client.ts';
import { hostileFiles } from './hostile-files.ts';
import { startHostileSites } from './hostile-sites.ts';
import { seededRandom } from './random.ts';
import { RUN_ATTACKS } from './run-attacks.ts';

export interface AttackOrder {
  baseUrl: string;
  liveKey: string;
  testKey: string;
  seed: number;
  durationMs: number;
  /** Names of the attacks to play; default: all. */
  only?: readonly string[];
}

export interface AttackReport {
  /** How often each outcome was seen, by attack. */
  outcomes: Record<string, Record<string, number>>;
  deliveries: { total: number; peakPerSecond: number };
}

const CONNECTIONS_MAX = 200;
const LAST_TURNS_MS = 5_000;
const ATTACKS: readonly Attack[] = [...BODY_ATTACKS, ...RUN_ATTACKS, ...FLOOD_ATTACKS];

/** A process of its own: the polite tenant's clock must not wait for the attacker's work. */
process.once('message', (order: AttackOrder) => {
  attack(order).then(
    (report) => {
      process.send!(report, () => process.exit(0));
    },
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit(1));

// What the attacker prepares beforehand costs the services nothing.
const files = await hostileFiles();
process.send!('ready');

async function attack({ baseUrl, liveKey, testKey, seed, durationMs, only }: AttackOrder): Promise<AttackReport> {
  const sites = await startHostileSites();
  const client = createHostileClient(baseUrl, CONNECTIONS_MAX);
  const signal = AbortSignal.timeout(durationMs);
  const outcomes: AttackReport['outcomes'] = {};
  const loops = ATTACKS.flatMap((one, index) => {
    if (only !== undefined && !only.includes(one.name)) return [];
    outcomes[one.name] = {};
    return Array.from({ length: one.parallel }, (_, loop) => {
      const random = seededRandom(seed + 1_000 * index + loop);
      return repeat(one, { client, liveKey, testKey, random, sites, files, signal }, outcomes[one.name]!);
    });
  });
  await Promise.race([Promise.all(loops), sleep(durationMs + LAST_TURNS_MS)]);
  client.close();
  sites.close();
  return { outcomes, deliveries: sites.deliveries() };
}

async function repeat(one: Attack, context: AttackContext, seen: Record<string, number>): Promise<void> {
  while (!context.signal.aborted) {
    const outcome = await one.run(context);
    seen[outcome] = (seen[outcome] ?? 0) + 1;
    // Exponential pauses: now and then several turns fall together.
    await sleep(-Math.log(1 - context.random()) * one.everyMs);
  }
}
