import type { Database, Tx } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { OpenBudget } from './allocate.ts';
import { growRate, inFlightElsewhere, refill } from './budget.ts';
import type { BudgetKey } from './budget-keys.ts';
import { createBudgets, lockBudgets, saveBudgets } from './budget-store.ts';

export type OpenBudgets = ReadonlyMap<string, OpenBudget>;

/** One replica's access to the budgets that all replicas share. */
export interface Budgets extends Running {
  /** Whether all these budgets are known to exist. */
  allKnown(keys: readonly BudgetKey[]): boolean;
  create(keys: readonly BudgetKey[]): Promise<void>;
  /**
   * Runs `work` in a transaction in which it may open budgets and charge them. No other replica uses an opened budget
   * before the transaction ends. A budget whose row was deleted is missing from the result.
   */
  transaction<T>(work: (tx: Tx, open: (keys: readonly BudgetKey[]) => Promise<OpenBudgets>) => Promise<T>): Promise<T>;
  /** Counts attempts that are about to begin, before their charge commits; a negative count takes them back. */
  begin(keys: readonly BudgetKey[], count: number): void;
  /** An attempt has ended; `accepted`: the endpoint accepted it in time. */
  end(keys: readonly BudgetKey[], accepted: boolean): void;
}

interface BudgetsDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
  replicaId: string;
}

const KNOWN_MAX = 100_000;
/** Longer than a claim lasts: nothing of a dead replica is in flight after that. */
const IN_FLIGHT_LEASE_MS = 20_000;
/** How often ended attempts are published to the other replicas when no claim does it. */
const FLUSH_EVERY_MS = 250;
const FLUSH_MAX = 500;

/** What this replica has in flight on a budget, and what it has not written to the row yet. */
interface LocalBudget {
  key: BudgetKey;
  inFlight: number;
  published: number;
  accepted: number;
}

interface Opened extends OpenBudget {
  local: LocalBudget;
  accepted: number;
  inFlightLeftBefore: number;
  perSecondBefore: number;
  publishing: number;
}

export function createReplicaBudgets(deps: BudgetsDeps): Budgets {
  const { clock, database, logger } = deps;
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  const locals = createLocals();
  let lastTransaction: Promise<unknown> = Promise.resolve();

  const openIn = async (tx: Tx, keys: readonly BudgetKey[], all: Map<string, Opened>) => {
    const byKey = new Map(keys.map((key) => [key.key, key]));
    const budgets = await lockBudgets(tx, [...byKey.keys()]);
    const nowMs = clock.now().getTime();
    for (const [name, key] of byKey) {
      const budget = budgets.get(name);
      if (budget === undefined) known.delete(name);
      else all.set(name, openBudget(budget, locals.of(key), deps.replicaId, nowMs));
    }
    return all;
  };
  const run: Budgets['transaction'] = async (work) => {
    const opened = new Map<string, Opened>();
    const result = await database.transaction(async (tx) => {
      opened.clear();
      const worked = await work(tx, (keys) => openIn(tx, keys, opened));
      await save(tx, [...opened.values()], deps.replicaId, clock.now().getTime() + IN_FLIGHT_LEASE_MS);
      return worked;
    });
    for (const budget of opened.values()) {
      applyCommitted(budget);
      locals.dropIfIdle(budget.key);
    }
    return result;
  };
  // One at a time, so that no outcome is written twice.
  const transaction: Budgets['transaction'] = (work) => {
    const running = lastTransaction.then(() => run(work));
    lastTransaction = running.catch(() => undefined);
    return running;
  };
  const flush = async () => {
    const keys = locals.dirty().slice(0, FLUSH_MAX);
    if (keys.length === 0) return;
    try {
      const open = await transaction(async (_tx, openAll) => openAll(keys));
      for (const key of keys) if (!open.has(key.key)) locals.forget(key);
    } catch (error) {
      logger.warn({ err: error }, 'webhook budgets: writing outcomes failed; retrying at the next flush');
    }
  };
  const flushing = repeatOn(clock, FLUSH_EVERY_MS, flush);

  return {
    transaction,
    allKnown: (keys) => keys.every(({ key }) => known.has(key)),
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
  const locals = new Map<string, LocalBudget>();
  const of = (key: BudgetKey): LocalBudget => {
    let local = locals.get(key.key);
    if (local === undefined) {
      local = { key, inFlight: 0, published: 0, accepted: 0 };
      locals.set(key.key, local);
    }
    return local;
  };
  return {
    of,
    begin(keys: readonly BudgetKey[], count: number) {
      for (const key of keys) of(key).inFlight += count;
    },
    end(keys: readonly BudgetKey[], accepted: boolean) {
      for (const key of keys) {
        const local = of(key);
        local.inFlight -= 1;
        if (accepted) local.accepted += 1;
      }
    },
    dirty: () => [...locals.values()].filter(isDirty).map(({ key }) => key),
    dropIfIdle(key: BudgetKey) {
      const local = locals.get(key.key);
      if (local?.inFlight === 0 && !isDirty(local)) locals.delete(key.key);
    },
    /** For a deleted row there is nothing left to write. */
    forget(key: BudgetKey) {
      if (locals.get(key.key)?.inFlight === 0) locals.delete(key.key);
    },
  };
}

function openBudget(budget: OpenBudget['budget'], local: LocalBudget, replicaId: string, nowMs: number): Opened {
  const { policy } = local.key;
  const perSecondBefore = budget.perSecond;
  const { accepted } = local;
  refill(budget, policy, nowMs);
  growRate(budget, policy, accepted, nowMs);
  const inFlight = local.inFlight + inFlightElsewhere(budget, replicaId, nowMs);
  const inFlightLeft = policy.inFlightMax - inFlight;
  return {
    budget,
    key: local.key,
    local,
    accepted,
    inFlightLeft,
    inFlightLeftBefore: inFlightLeft,
    perSecondBefore,
    publishing: local.published,
  };
}

/** Writes the changed budgets; the others are refilled by whoever opens them next. */
async function save(tx: Tx, opened: readonly Opened[], replicaId: string, untilMs: number): Promise<void> {
  const changed = opened.filter(
    ({ budget, local, accepted, inFlightLeft, inFlightLeftBefore, perSecondBefore }) =>
      inFlightLeft !== inFlightLeftBefore ||
      budget.perSecond !== perSecondBefore ||
      local.inFlight !== local.published ||
      accepted > 0,
  );
  for (const opening of changed) {
    opening.publishing = opening.local.inFlight;
    if (opening.publishing > 0) opening.budget.inFlight[replicaId] = { count: opening.publishing, untilMs };
    else delete opening.budget.inFlight[replicaId];
  }
  await saveBudgets(
    tx,
    changed.map(({ budget }) => budget),
  );
}

function applyCommitted({ local, accepted, publishing }: Opened): void {
  local.accepted -= accepted;
  local.published = publishing;
}

function isDirty({ inFlight, published, accepted }: LocalBudget): boolean {
  return inFlight !== published || accepted > 0;
}

function repeatOn(clock: Clock, everyMs: number, work: () => Promise<void>): Running {
  let cancel: () => void = () => undefined;
  let closed = false;
  let working: Promise<void> = Promise.resolve();
  const later = () => {
    if (closed) return;
    cancel = clock.after(everyMs, () => {
      working = work().then(later);
    });
  };
  later();
  return {
    async close() {
      closed = true;
      cancel();
      await working;
    },
  };
}
