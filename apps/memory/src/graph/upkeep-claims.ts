import type { Database } from '@cairn/postgres';
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
}

/**
 * Claims the memory that is due for longest; null when none is. A failed try keeps its lease, so that the next one comes
 * only when that has run out.
 */
export async function claimDue({ workerDatabase, owner, settleMs }: Claims): Promise<DueMemory | null> {
  const rows = await workerDatabase.transaction((tx) =>
    tx.query<DueMemory>(
      `UPDATE graph_memories AS memory SET lease_owner = $1, lease_until = now() + make_interval(secs => $2::float8 / 1000)
         FROM (SELECT tenant_id, memory_id FROM graph_memories AS upkept
                WHERE (lease_until IS NULL OR lease_until < now()) AND ${isSettled('upkept')}
                  AND (assessed_at IS NULL OR assessed_at < now() - make_interval(hours => ${ASSESS_EVERY_HOURS})
                    OR assessed_revision < revision OR analysed_revision < revision OR analysis_version < ${ANALYSIS_VERSION}
                    OR extractor_version < ${EXTRACTOR_VERSION})
                  AND (changed_at < now() - make_interval(secs => $3::float8 / 1000)
                    OR analysed_at < now() - make_interval(secs => $3::float8 * ${RESTLESS_FACTOR} / 1000)
                    OR (extractor_version < ${EXTRACTOR_VERSION} AND relink_version = ${EXTRACTOR_VERSION}))
                ORDER BY greatest(changed_at, relinked_at) LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
        WHERE memory.tenant_id = due.tenant_id AND memory.memory_id = due.memory_id
       RETURNING memory.tenant_id, memory.memory_id, workspace_id, livemode, revision, analysed_revision, analysis_version, extractor_version,
                 CASE WHEN relink_version = ${EXTRACTOR_VERSION} THEN relink_after ELSE '' END AS relink_after`,
      [owner, LEASE_MS, settleMs],
    ),
  );
  return rows[0] ?? null;
}

/** Does the work while the lease is extended by time, however long a step takes; `signal` is aborted when it is lost. */
export async function whileLeased<T>(
  claims: Claims,
  due: DueMemory,
  stopped: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    // Without the database the lease runs out, and so does the work.
    extend(claims, due).then(
      (held) => held || lost.abort(),
      () => lost.abort(),
    );
  }, EXTEND_EVERY_MS);
  try {
    return await work(AbortSignal.any([stopped, lost.signal]));
  } finally {
    clearInterval(timer);
  }
}

async function extend(claims: Claims, due: DueMemory): Promise<boolean> {
  const rows = await claims.workerDatabase.transaction((tx) =>
    tx.query(
      `UPDATE graph_memories SET lease_until = now() + make_interval(secs => $4::float8 / 1000)
        WHERE tenant_id = $1 AND memory_id = $2 AND lease_owner = $3 RETURNING 1`,
      [due.tenant_id, due.memory_id, claims.owner, LEASE_MS],
    ),
  );
  return rows.length > 0;
}

/** Writes how far reading again has come. */
export async function saveRelinked(claims: Claims, due: DueMemory, after: string): Promise<void> {
  await claims.workerDatabase.transaction((tx) =>
    tx.execute(
      `UPDATE graph_memories SET relink_version = ${EXTRACTOR_VERSION}, relink_after = $4, relinked_at = now()
        WHERE tenant_id = $1 AND memory_id = $2 AND lease_owner = $3`,
      [due.tenant_id, due.memory_id, claims.owner, after],
    ),
  );
}

/** Lets go of the memory, to be claimed again after `pauseMs` at the earliest. */
export async function release(claims: Claims, due: DueMemory, pauseMs: number): Promise<void> {
  await claims.workerDatabase.transaction((tx) =>
    tx.execute(
      `UPDATE graph_memories SET lease_until = now() + make_interval(secs => $4::float8 / 1000)
        WHERE tenant_id = $1 AND memory_id = $2 AND lease_owner = $3`,
      [due.tenant_id, due.memory_id, claims.owner, pauseMs],
    ),
  );
}
