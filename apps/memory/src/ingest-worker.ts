import { randomUUID } from 'node:crypto';
import type { Running } from '@cairn/service-kit';
import type { MemoryScope } from './document-store.ts';
import { claimDue, INGEST_CHANNEL, type Lane, LANES, type QueuedDocument, tenantsWaiting } from './ingest-queue.ts';
import { createFairSchedule, type FairSchedule } from './ingest/fair-schedule.ts';
import { CRASHES_MAX, fail } from './ingest/give-back.ts';
import { type HeldClaims, holdClaimsAlive, LEASE_MS } from './ingest/claims.ts';
import { addUpStorageChanges } from './ingest/stored-amount.ts';
import { workMemory } from './ingest/work-memory.ts';
import type { WorkerParts } from './ingest/worker-parts.ts';

/** How a lane is worked off. */
interface LaneRules {
  lane: Lane;
  /** Claims at a time, each worked off before the same runner claims again. */
  runners: number;
  batchMax: number;
  batchMaxBytes: number;
  /** Claims with documents of one tenant that are worked on at a time, so that others find a free runner. */
  perTenantMax: number;
}

const TEXT_LANE: LaneRules = {
  lane: LANES.text,
  runners: 3,
  batchMax: 64,
  batchMaxBytes: 4 * 1_048_576,
  perTenantMax: 2,
};
const FILE_LANE: LaneRules = {
  lane: LANES.file,
  runners: 6,
  batchMax: 1,
  batchMaxBytes: Infinity,
  perTenantMax: 4,
};
const POLL_MS = 1_000;
const TENANTS_AT_ONCE = 500;
const ADD_UP_EVERY_MS = 10_000;
/** A document costs its tenant's turn one unit, and one more for each of so many bytes. */
const BYTES_PER_UNIT = 16_384;

/** Works the queue off for as long as the service runs. Any number of replicas may; a claim belongs to one. */
export async function startIngestWorker(parts: WorkerParts): Promise<Running> {
  const claims = holdClaimsAlive(parts.workerDatabase, (error) =>
    parts.logger.warn({ err: error }, 'leases could not be extended'),
  );
  const lanes = [TEXT_LANE, FILE_LANE].map((rules) => startLane(parts, claims, rules));
  const nudge = () => lanes.forEach((lane) => lane.nudge());
  const listener = await parts.workerDatabase.listen(INGEST_CHANNEL, nudge);
  const adding = setInterval(() => {
    addUpStorageChanges(parts.workerDatabase).catch((error: unknown) =>
      parts.logger.warn({ err: error }, 'storage could not be added up'),
    );
  }, ADD_UP_EVERY_MS);
  adding.unref();
  return {
    async close() {
      clearInterval(adding);
      await listener.close();
      await Promise.all(lanes.map((lane) => lane.close()));
      claims.close();
    },
  };
}

/** What the runners of one lane share. */
interface LaneState {
  schedule: FairSchedule;
  /** Claims worked on now, by tenant. */
  working: Map<string, number>;
  /** Ends when the claim before has been made: whoever plans the next one must know of it. */
  claiming: Promise<unknown>;
  closed: boolean;
}

function startLane(parts: WorkerParts, claims: HeldClaims, rules: LaneRules): Running & { nudge(): void } {
  const state: LaneState = {
    schedule: createFairSchedule(() => performance.now()),
    working: new Map(),
    claiming: Promise.resolve(),
    closed: false,
  };
  const runners = Array.from({ length: rules.runners }, () => startRunner(parts, claims, rules, state));
  const nudge = () => runners.forEach((runner) => runner.nudge());
  return {
    nudge,
    async close() {
      state.closed = true;
      nudge();
      await Promise.all(runners.map((runner) => runner.ended));
    },
  };
}

function startRunner(parts: WorkerParts, claims: HeldClaims, rules: LaneRules, state: LaneState) {
  let nudged = false;
  let wake: (() => void) | null = null;
  const run = async () => {
    while (!state.closed) {
      nudged = false;
      const worked = await workOnce(parts, claims, rules, state).catch((error: unknown) => {
        if (!state.closed) parts.logger.warn({ err: error }, 'ingestion waits');
        return 0;
      });
      if (worked > 0 || nudged || state.closed) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = null;
    }
  };
  return {
    ended: run(),
    nudge() {
      nudged = true;
      wake?.();
    },
  };
}

/** Claims what is fair to claim next and works it off, memory by memory. Returns how many documents it claimed. */
async function workOnce(parts: WorkerParts, claims: HeldClaims, rules: LaneRules, state: LaneState): Promise<number> {
  // Each claim has a name of its own: an earlier one of this process must not pass for it.
  const owner = `${parts.owner} ${randomUUID()}`;
  const claiming = state.claiming.then(() => claimNext(parts, rules, state, owner));
  state.claiming = claiming.catch(() => undefined);
  const claimed = await claiming;
  try {
    await claims.during(claimed, () => workAll({ ...parts, owner }, claimed));
  } finally {
    count(state.working, claimed, -1);
  }
  return claimed.length;
}

/** Claims for one runner. One of the lane at a time, or several would all take what is left of one tenant's share. */
async function claimNext(
  parts: WorkerParts,
  rules: LaneRules,
  state: LaneState,
  owner: string,
): Promise<QueuedDocument[]> {
  const claimed = await parts.workerDatabase.transaction(async (tx) => {
    const waiting = await tenantsWaiting(tx, rules.lane, '', TENANTS_AT_ONCE);
    const mayTakeMore = (tenantId: string) => (state.working.get(tenantId) ?? 0) < rules.perTenantMax;
    const shares = state.schedule.plan(waiting.filter(mayTakeMore), rules.batchMax);
    return claimDue(tx, {
      lane: rules.lane,
      shares,
      owner,
      leaseMs: LEASE_MS,
      maxBytes: Math.min(rules.batchMaxBytes, Number.MAX_SAFE_INTEGER),
    });
  });
  for (const { tenant_id, bytes } of claimed) state.schedule.charge(tenant_id, 1 + bytes / BYTES_PER_UNIT);
  count(state.working, claimed, 1);
  return claimed;
}

function count(working: Map<string, number>, claimed: readonly QueuedDocument[], by: 1 | -1): void {
  for (const tenantId of new Set(claimed.map((document) => document.tenant_id))) {
    const now = (working.get(tenantId) ?? 0) + by;
    if (now === 0) working.delete(tenantId);
    else working.set(tenantId, now);
  }
}

async function workAll(parts: WorkerParts, claimed: readonly QueuedDocument[]): Promise<void> {
  const byMemory = Map.groupBy(claimed, (document) => `${document.tenant_id} ${document.memory_id}`);
  // Who has few does not wait for who has many.
  for (const documents of [...byMemory.values()].sort((a, b) => a.length - b.length)) {
    const scope: MemoryScope = { tenantId: documents[0]!.tenant_id, memoryId: documents[0]!.memory_id };
    await workMemory(
      parts,
      scope,
      documents.filter((document) => document.attempts === 1),
    );
    // What was begun before may be what ended the process: it goes alone, and not for ever.
    for (const document of documents.filter(({ attempts }) => attempts > 1)) {
      if (document.attempts > CRASHES_MAX) await fail(parts, scope, document, CRASHING);
      else await workMemory(parts, scope, [document]);
    }
  }
}

const CRASHING = {
  code: 'indexing_failed',
  message: 'The document could not be indexed after several tries. Send it again, or report it with its doc_id.',
};
