import type { Database, Tx } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import type { OpenBudget } from './allocate.ts';
import { inFlightElsewhere, inFlightMaxOf, learn, type Outcomes, refill } from './budget.ts';
import type { BudgetKey } from './budget-keys.ts';
import { createBudgets, lockBudgets, saveBudgets } from './budget-store.ts';

/** How an attempt ended, for the budgets: `neutral` says nothing of whether the target can take more. */
export type Verdict = 'accepted' | 'failed' | 'neutral';

export type OpenBudgets = ReadonlyMap<string, OpenBudget>;

/** What one replica knows of the budgets that all replicas share. */
export interface Budgets extends Running {
  /** Whether the rows of all these are known to be there. */
  areKnown(keys: readonly BudgetKey[]): boolean;
  create(keys: readonly BudgetKey[]): Promise<void>;
  /**
   * Runs `work` in a transaction in which it may open budgets and charge them. No other replica uses an opened budget
   * before the transaction ends. A budget whose row is gone is missing from what was opened.
   */
  transaction<T>(work: (tx: Tx, open: (keys: readonly BudgetKey[]) => Promise<OpenBudgets>) => Promise<T>): Promise<T>;
  /** Attempts that are about to begin, counted before their charge commits; fewer with a negative count. */
  begin(keys: readonly BudgetKey[], count: number): void;
  end(keys: readonly BudgetKey[], verdict: Verdict): void;
}

export interface BudgetsParts {
  database: Database;
  clock: Clock;
  logger: Logger;
  replicaId: string;
}

const KNOWN_MAX = 100_000;
/** Longer than a claim lasts: nothing of a replica is in flight after that. */
const HELD_MS = 20_000;
/** How often the others are told of attempts that ended, where no claim told them. */
const FLUSH_EVERY_MS = 250;
const FLUSH_MAX = 500;

/** What this replica has in flight on a budget, and what the row does not say of it yet. */
interface Local {
  key: BudgetKey;
  inFlight: number;
  published: number;
  outcomes: Outcomes;
}

interface Opened extends OpenBudget {
  local: Local;
  outcomes: Outcomes;
  inFlightLeftBefore: number;
  perSecondBefore: number;
  publishing: number;
}

export function createReplicaBudgets(parts: BudgetsParts): Budgets {
  const { clock, database, logger } = parts;
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  const locals = createLocals();
  let last: Promise<unknown> = Promise.resolve();

  const openIn = async (tx: Tx, keys: readonly BudgetKey[], all: Map<string, Opened>) => {
    const byKey = new Map(keys.map((key) => [key.key, key]));
    const budgets = await lockBudgets(tx, [...byKey.keys()]);
    const nowMs = clock.now().getTime();
    for (const [name, key] of byKey) {
      const budget = budgets.get(name);
      if (budget === undefined) known.delete(name);
      else all.set(name, openBudget(budget, locals.of(key), parts.replicaId, nowMs));
    }
    return all;
  };
  const run: Budgets['transaction'] = async (work) => {
    const opened = new Map<string, Opened>();
    const result = await database.transaction(async (tx) => {
      opened.clear();
      const worked = await work(tx, (keys) => openIn(tx, keys, opened));
      await save(tx, [...opened.values()], parts.replicaId, clock.now().getTime() + HELD_MS);
      return worked;
    });
    for (const one of opened.values()) {
      committed(one);
      locals.drop(one.key);
    }
    return result;
  };
  // One at a time, so that nothing is told twice.
  const transaction: Budgets['transaction'] = (work) => {
    const running = last.then(() => run(work));
    last = running.catch(() => undefined);
    return running;
  };
  const flush = async () => {
    const keys = locals.dirty().slice(0, FLUSH_MAX);
    if (keys.length === 0) return;
    try {
      const open = await transaction(async (_tx, openAll) => openAll(keys));
      for (const key of keys) if (!open.has(key.key)) locals.forget(key);
    } catch (error) {
      logger.warn({ err: error }, 'delivery budgets could not be updated');
    }
  };
  const flushing = repeatOn(clock, FLUSH_EVERY_MS, flush);

  return {
    transaction,
    areKnown: (keys) => keys.every(({ key }) => known.has(key)),
    async create(keys) {
      const missing = [...new Map(keys.filter(({ key }) => !known.has(key)).map((key) => [key.key, key])).values()];
      await createBudgets(database, missing, clock.now().getTime());
      for (const { key } of missing) known.set(key, true);
    },
    begin: locals.begin,
    end: locals.end,
    async close() {
      await flushing.close();
      await flush();
    },
  };
}

function createLocals() {
  const locals = new Map<string, Local>();
  const of = (key: BudgetKey): Local => {
    let local = locals.get(key.key);
    if (local === undefined) {
      local = { key, inFlight: 0, published: 0, outcomes: { accepted: 0, failed: 0 } };
      locals.set(key.key, local);
    }
    return local;
  };
  return {
    of,
    begin(keys: readonly BudgetKey[], count: number) {
      for (const key of keys) of(key).inFlight += count;
    },
    end(keys: readonly BudgetKey[], verdict: Verdict) {
      for (const key of keys) {
        const local = of(key);
        local.inFlight -= 1;
        if (verdict !== 'neutral') local.outcomes[verdict] += 1;
      }
    },
    dirty: () => [...locals.values()].filter(isDirty).map(({ key }) => key),
    drop(key: BudgetKey) {
      const local = locals.get(key.key);
      if (local?.inFlight === 0 && !isDirty(local)) locals.delete(key.key);
    },
    /** A row that is gone has nothing to be told. */
    forget(key: BudgetKey) {
      if (locals.get(key.key)?.inFlight === 0) locals.delete(key.key);
    },
  };
}

function openBudget(budget: OpenBudget['budget'], local: Local, replicaId: string, nowMs: number): Opened {
  const { policy } = local.key;
  const perSecondBefore = budget.perSecond;
  const outcomes = { ...local.outcomes };
  refill(budget, policy, nowMs);
  learn(budget, policy, outcomes, nowMs);
  const inFlight = local.inFlight + inFlightElsewhere(budget, replicaId, nowMs);
  const inFlightLeft = inFlightMaxOf(budget, policy) - inFlight;
  return {
    budget,
    key: local.key,
    local,
    outcomes,
    inFlightLeft,
    inFlightLeftBefore: inFlightLeft,
    perSecondBefore,
    publishing: local.published,
  };
}

/** Writes what was changed; the rest is refilled by the next one who opens it. */
async function save(tx: Tx, opened: readonly Opened[], replicaId: string, untilMs: number): Promise<void> {
  const changed = opened.filter(
    ({ budget, local, outcomes, inFlightLeft, inFlightLeftBefore, perSecondBefore }) =>
      inFlightLeft !== inFlightLeftBefore ||
      budget.perSecond !== perSecondBefore ||
      local.inFlight !== local.published ||
      outcomes.accepted + outcomes.failed > 0,
  );
  for (const one of changed) {
    one.publishing = one.local.inFlight;
    if (one.publishing > 0) one.budget.inFlight[replicaId] = { count: one.publishing, untilMs };
    else delete one.budget.inFlight[replicaId];
  }
  await saveBudgets(
    tx,
    changed.map(({ budget }) => budget),
  );
}

function committed({ local, outcomes, publishing }: Opened): void {
  local.outcomes.accepted -= outcomes.accepted;
  local.outcomes.failed -= outcomes.failed;
  local.published = publishing;
}

function isDirty({ inFlight, published, outcomes }: Local): boolean {
  return inFlight !== published || outcomes.accepted > 0 || outcomes.failed > 0;
}

function repeatOn(clock: Clock, everyMs: number, work: () => Promise<void>): Running {
  let callOff: () => void = () => undefined;
  let closed = false;
  let working: Promise<void> = Promise.resolve();
  const later = () => {
    if (closed) return;
    callOff = clock.after(everyMs, () => {
      working = work().then(later);
    });
  };
  later();
  return {
    async close() {
      closed = true;
      callOff();
      await working;
    },
  };
}
