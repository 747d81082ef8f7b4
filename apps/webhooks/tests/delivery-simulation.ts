import { setImmediate } from 'node:timers/promises';
import type { Database, Tx } from '@cairn/postgres';
import pino from 'pino';
import { type Budget, growRate, newBudget, refill } from '../src/budgets/budget.ts';
import type { BudgetKey } from '../src/budgets/budget-keys.ts';
import type { Budgets } from '../src/budgets/budgets.ts';
import type { BudgetLimits } from '../src/budgets/limits.ts';
import type { Clock } from '../src/clock.ts';
import type { AttemptResult } from '../src/sending/attempt.ts';
import type { ClaimedDelivery, DeliveryQueue, LaneName, Target } from '../src/sending/delivery-queue.ts';
import { type Dispatcher, startDispatcher } from '../src/sending/dispatcher.ts';
import type { Recorder } from '../src/sending/recorder.ts';

/** What an endpoint does: how long its answers take, and which part of them accept. */
export interface SimulatedEndpoint {
  tenantId: string;
  host: string;
  latencyMs: number;
  acceptedPart: number;
  /** Of retries, if it differs. */
  retryLatencyMs?: number;
  /** Events in each second, from that second on. */
  eventsPerSecond: number;
  beginsAtSecond?: number;
  /** Further events at that second. */
  eventsAtOnce?: number;
}

/** One attempt, in milliseconds of virtual time. */
export interface SimulatedAttempt {
  webhookId: string;
  host: string;
  retry: number;
  atMs: number;
  dueAtMs: number;
}

interface Row {
  deliveryId: string;
  webhookId: string;
  dueAtMs: number;
  attempts: number;
  retry: number;
}

/** Timers are called at the end of their step. */
const STEP_MS = 100;
const REPLICAS = 2;
const IN_FLIGHT_MAX = 512;
const CONCURRENCY_MAX = 16;
/** Turns of the event loop without a claim after which nothing more happens in a step. */
const QUIET_TURNS = 3;

/** Runs real dispatchers for some virtual seconds over a queue, budgets and endpoints in memory; returns every attempt. */
export async function simulate(
  endpoints: readonly SimulatedEndpoint[],
  options: { limits: BudgetLimits; seconds: number; random: () => number },
): Promise<SimulatedAttempt[]> {
  const clock = steppedClock();
  const attempts: SimulatedAttempt[] = [];
  const webhookIds = endpoints.map((_endpoint, n) => `whk_${String(n).padStart(4, '0')}`);
  const endpointOf = new Map(endpoints.map((endpoint, n) => [webhookIds[n]!, endpoint]));
  const queue = memoryQueue(endpointOf, clock);
  const budgets = memoryBudgets(clock);
  const attempt = async (claimed: ClaimedDelivery): Promise<AttemptResult> => {
    const {
      latencyMs: firstLatencyMs,
      retryLatencyMs = firstLatencyMs,
      acceptedPart,
      host,
    } = endpointOf.get(claimed.webhook_id)!;
    const { retry, dueAtMs } = queue.rows.get(claimed.delivery_id)!;
    const latencyMs = retry === 0 ? firstLatencyMs : retryLatencyMs;
    attempts.push({ webhookId: claimed.webhook_id, host, retry, atMs: clock.now().getTime(), dueAtMs });
    const outcome = options.random() < acceptedPart ? 'delivered' : 'refused_by_receiver';
    await new Promise<void>((ended) => clock.after(latencyMs, ended));
    const rest = { status: null, error: null, responseBody: null, responseTruncated: false };
    return { ...rest, outcome, retryable: true, latencyMs };
  };
  const deps = {
    database: { transaction: (work: (tx: Tx) => Promise<unknown>) => work({} as Tx) } as unknown as Database,
    queue,
    recorder: queue.recorder,
    budgets,
    addresses: {
      cached: () => ['192.0.2.1'],
      lastKnown: (host: string) => [`address of ${host}`],
      refresh: async () => undefined,
      resolve: async () => ['192.0.2.1'],
    },
    limits: options.limits,
    clock,
    logger: pino({ level: 'silent' }),
    attempt,
    concurrencyMax: CONCURRENCY_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    onDelivered: () => undefined,
  };
  // Each has its own address, so that the host is what they share.
  const dispatchers: Dispatcher[] = Array.from({ length: REPLICAS }, () =>
    startDispatcher({ ...deps, addresses: { ...deps.addresses, cached: (host) => [`address of ${host}`] } }),
  );
  const events = endpoints.map(() => options.random());
  for (let ms = 0; ms < options.seconds * 1_000; ms += STEP_MS) {
    for (const [n, { eventsPerSecond, beginsAtSecond = 0, eventsAtOnce = 0 }] of endpoints.entries()) {
      if (ms < beginsAtSecond * 1_000) continue;
      if (ms === beginsAtSecond * 1_000) events[n]! += eventsAtOnce;
      events[n]! += (eventsPerSecond * STEP_MS) / 1_000;
      for (; events[n]! >= 1; events[n]! -= 1) {
        queue.add(webhookIds[n]!);
        dispatchers[n % REPLICAS]!.hint(webhookIds[n]!);
      }
    }
    clock.step();
    for (let turns = 0, claims = -1; turns < QUIET_TURNS; turns = claims === queue.claims() ? turns + 1 : 0) {
      claims = queue.claims();
      await setImmediate();
    }
  }
  clock.stop();
  await Promise.all(dispatchers.map((dispatcher) => Promise.race([dispatcher.close(), setImmediate()])));
  return attempts;
}

/** A clock that moves in steps; cheaper than one that is exact. */
function steppedClock(): Clock & { step(): void; stop(): void } {
  let step = 0;
  let stopped = false;
  const timers = new Map<number, Set<() => void>>();
  return {
    now: () => new Date(step * STEP_MS),
    after(ms, call) {
      const at = step + Math.max(1, Math.ceil(ms / STEP_MS));
      const ofStep = timers.get(at) ?? new Set();
      timers.set(at, ofStep.add(call));
      return () => ofStep.delete(call);
    },
    step() {
      step += 1;
      const due = timers.get(step) ?? [];
      timers.delete(step);
      if (!stopped) for (const call of due) call();
    },
    stop() {
      stopped = true;
    },
  };
}

function memoryQueue(endpointOf: ReadonlyMap<string, SimulatedEndpoint>, clock: Clock) {
  const rows = new Map<string, Row>();
  const waiting = new Map(
    [...endpointOf.keys()].map((id) => [id, { first: new Array<Row>(), retries: new Array<Row>() }] as const),
  );
  const accepting = new Set<string>();
  let added = 0;
  let claims = 0;
  const dueIn = (webhookId: string, lane: LaneName) => (lane === 'tests' ? [] : waiting.get(webhookId)![lane]);
  const take = ({ target, slots }: { target: Target; slots: number }, lane: LaneName, now: Date): ClaimedDelivery[] => {
    const list = dueIn(target.webhook_id, lane);
    const due: Row[] = [];
    while (due.length < slots && list.length > 0 && list[0]!.dueAtMs <= now.getTime()) due.push(list.shift()!);
    return due.map((row) => {
      row.attempts += 1;
      const { deliveryId, webhookId, attempts, retry } = row;
      return {
        ...target,
        delivery_id: deliveryId,
        webhook_id: webhookId,
        event_id: deliveryId,
        attempt: attempts,
        retry,
        is_test: false,
        auto_replay: false,
        body: '',
        traceparent: null,
      } as unknown as ClaimedDelivery;
    });
  };
  const recorder: Recorder = {
    async record({ claimed, next, at }) {
      const row = rows.get(claimed.delivery_id)!;
      if (next.state === 'delivered') accepting.add(row.webhookId);
      if (next.state === 'dead_lettered') accepting.delete(row.webhookId);
      if (next.state !== 'retry') {
        rows.delete(row.deliveryId);
        return;
      }
      Object.assign(row, { dueAtMs: at.getTime() + next.delayMs, retry: row.retry + 1 });
      const { retries } = waiting.get(row.webhookId)!;
      retries.push(row);
      retries.sort((one, other) => one.dueAtMs - other.dueAtMs);
    },
    close: async () => undefined,
  };
  const queue: DeliveryQueue = {
    async targetsOf(_tx, ids) {
      return new Map(
        ids.map((id) => {
          const { tenantId, host } = endpointOf.get(id)!;
          const accepts = accepting.has(id);
          return [id, { webhook_id: id, tenant_id: tenantId, livemode: true, url: `https://${host}/`, accepts }];
        }),
      );
    },
    async claim(_tx, lane, wanted, now) {
      claims += 1;
      return { claimed: wanted.flatMap((one) => take(one, lane, now)), restarted: [] };
    },
    async scan(lane) {
      const due = [...waiting.keys()].flatMap((webhookId) => {
        const [row] = dueIn(webhookId, lane);
        return row === undefined ? [] : [{ webhook_id: webhookId, due_at: new Date(row.dueAtMs) }];
      });
      return { due, lastWebhookId: '' };
    },
  };
  return {
    ...queue,
    rows,
    recorder,
    claims: () => claims,
    add(webhookId: string) {
      const dueAtMs = clock.now().getTime();
      const row: Row = { deliveryId: `dlv_${(added += 1)}`, webhookId, dueAtMs, attempts: 0, retry: 0 };
      rows.set(row.deliveryId, row);
      waiting.get(webhookId)!.first.push(row);
    },
  };
}

/** The budgets of all replicas, without their rows. */
function memoryBudgets(clock: Clock): Budgets {
  const budgets = new Map<string, Budget>();
  const inFlight = new Map<string, number>();
  const accepted = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();
  const add = (counts: Map<string, number>, keys: readonly BudgetKey[], count: number) => {
    for (const { key } of keys) counts.set(key, (counts.get(key) ?? 0) + count);
  };
  const open = async (keys: readonly BudgetKey[]) => {
    const nowMs = clock.now().getTime();
    return new Map(
      keys.map((key) => {
        const budget = budgets.get(key.key) ?? newBudget(key.key, key.policy, nowMs);
        budgets.set(key.key, budget);
        refill(budget, key.policy, nowMs);
        growRate(budget, key.policy, accepted.get(key.key) ?? 0, nowMs);
        accepted.delete(key.key);
        return [key.key, { budget, key, inFlightLeft: key.policy.inFlightMax - (inFlight.get(key.key) ?? 0) }];
      }),
    );
  };
  return {
    allKnown: () => true,
    create: async () => undefined,
    transaction(work) {
      const running = last.then(() => work({} as Tx, open));
      last = running.catch(() => undefined);
      return running;
    },
    begin: (keys, count) => add(inFlight, keys, count),
    end(keys, isAccepted) {
      add(inFlight, keys, -1);
      if (isAccepted) add(accepted, keys, 1);
    },
    close: async () => undefined,
  };
}
