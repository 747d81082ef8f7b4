import type { Database } from '@cairn/postgres';
import { leaseTable, whileLeased } from '@cairn/work-queue';
import { ANALYSIS_VERSION } from './analysis/graph-metrics.ts';
import { EXTRACTOR_VERSION } from './extract/extraction.ts';
import { isSettled } from '../memories/moving-memories.ts';

interface Claims {
  /** Connected as the worker role: finds memories over all tenants. */
  workerDatabase: Database;
  owner: string;
  /** How long nothing must have changed before a memory counts as settled. */
  settleMs: number;
}

const LEASE_MS = 120_000;
const EXTEND_EVERY_MS = 30_000;
const ASSESS_EVERY_HOURS = 24;
/** A memory in which documents keep coming is analysed all the same, after so many times the settling time. */
const RESTLESS_FACTOR = 20;

interface DueMemory {
  tenant_id: string;
  memory_id: string;
  workspace_id: string;
  livemode: boolean;
  revision: number;
  analysed_revision: number;
  analysis_version: number;
  extractor_version: number;
  /** Up to which document this version of the extractor has read again; empty for none. */
  relink_after: string;
  lease_owner: string;
}

const GRAPHS = leaseTable({
  name: 'graph_memories',
  key: ['tenant_id', 'memory_id'],
  owner: 'lease_owner',
  until: 'lease_until',
});
const IS_DUE = `${isSettled('job')}
  AND (assessed_at IS NULL OR assessed_at < now() - make_interval(hours => ${ASSESS_EVERY_HOURS})
    OR assessed_revision < revision OR analysed_revision < revision OR analysis_version < ${ANALYSIS_VERSION}
    OR extractor_version < ${EXTRACTOR_VERSION})
  AND (changed_at < now() - make_interval(secs => $1::float8 / 1000)
    OR analysed_at < now() - make_interval(secs => $1::float8 * ${RESTLESS_FACTOR} / 1000)
    OR (extractor_version < ${EXTRACTOR_VERSION} AND relink_version = ${EXTRACTOR_VERSION}))`;
const RETURNED = `tenant_id, memory_id, workspace_id, livemode, revision, analysed_revision, analysis_version,
  extractor_version, lease_owner,
  CASE WHEN relink_version = ${EXTRACTOR_VERSION} THEN relink_after ELSE '' END AS relink_after`;

/**
 * Claims the memory that is due for longest; null when none is. A failed try keeps its lease, so that the next one comes
 * only when that has run out.
 */
export async function claimMemory({ workerDatabase, owner, settleMs }: Claims): Promise<DueMemory | null> {
  const claim = { owner, leaseMs: LEASE_MS, max: 1 };
  const due = { due: IS_DUE, values: [settleMs], orderBy: 'greatest(changed_at, relinked_at)', returning: RETURNED };
  const rows = await workerDatabase.transaction((tx) => GRAPHS.claimDue<DueMemory>(tx, claim, due));
  return rows[0] ?? null;
}

/** Does the work while the lease is extended, however long a step takes. `signal` is aborted when the lease is lost. */
export function whileClaimed<T>(
  database: Database,
  memory: DueMemory,
  stopped: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const extend = () => database.transaction((tx) => GRAPHS.extend(tx, memory, LEASE_MS));
  // Without the database the lease runs out, and so does the work.
  const heartbeat = { everyMs: EXTEND_EVERY_MS, extend: () => extend().catch(() => false) };
  return whileLeased(heartbeat, (lost) => work(AbortSignal.any([stopped, lost])));
}

/** Writes up to which document the memory was read again. */
export async function saveRelinked(database: Database, memory: DueMemory, after: string): Promise<void> {
  const set = `relink_version = ${EXTRACTOR_VERSION}, relink_after = $1, relinked_at = now()`;
  await database.transaction((tx) => GRAPHS.update(tx, memory, set, [after]));
}

/** Releases the memory, to be claimed again after `pauseMs` at the earliest. */
export async function release(database: Database, memory: DueMemory, pauseMs: number): Promise<void> {
  await database.transaction((tx) => GRAPHS.extend(tx, memory, pauseMs));
}
