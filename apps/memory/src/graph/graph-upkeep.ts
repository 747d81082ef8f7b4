import { startLoop } from '@cairn/background';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { recomputeGraphMetrics } from './analysis/graph-metrics.ts';
import { EXTRACTOR_VERSION } from './extract/extraction.ts';
import { assessHealth } from './health/assess-health.ts';
import type { GraphLinker } from './linking/graph-linker.ts';
import { relinkMemory } from './linking/relink-memory.ts';
import type { AttributedMemory } from '../memories/memory-scope.ts';

interface UpkeepOptions {
  database: Database;
  /** Connected as the worker role: finds memories over all tenants. */
  workerDatabase: Database;
  linker: GraphLinker;
  owner: string;
  logger: Logger;
  /** How long nothing must have changed before a memory counts as settled. */
  settleMs: number;
  pollMs?: number;
}

const POLL_MS = 1_000;
const LEASE_MS = 120_000;
const ANALYSIS_TIMEOUT_MS = 90_000;
const ANALYSIS_MEMORY_MAX_MB = 2_048;
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
  extractor_version: number;
}

/**
 * Communities, centrality and health, after a memory's ingest has settled, and health daily besides; before them, what
 * an older version of the extractor read is read again. One memory at a time and engine; a claim is a lease, so that
 * replicas share the work and a dead one's is taken over.
 */
export function startGraphUpkeep(options: UpkeepOptions): Running {
  const pollMs = options.pollMs ?? POLL_MS;
  return startLoop({
    work: (signal) => upkeepOnce(options, signal),
    pollMs,
    onError: (error) => options.logger.warn({ err: error }, 'upkeep of a graph failed and is retried'),
    backoffMs: pollMs,
    backoffMaxMs: pollMs,
  });
}

/** Works on the memory that is due for longest; false when none is. */
async function upkeepOnce(options: UpkeepOptions, signal: AbortSignal): Promise<boolean> {
  const due = await claimDue(options);
  if (due === null) return false;
  const memory: AttributedMemory = {
    tenantId: due.tenant_id,
    memoryId: due.memory_id,
    workspaceId: due.workspace_id,
    livemode: due.livemode,
  };
  if (due.extractor_version < EXTRACTOR_VERSION) {
    await relinkMemory(options, memory, signal, () => extendLease(options, due));
  } else if (due.analysed_revision < due.revision) {
    const limits = { timeoutMs: ANALYSIS_TIMEOUT_MS, memoryMaxMb: ANALYSIS_MEMORY_MAX_MB };
    await recomputeGraphMetrics(options.database, memory, limits, signal);
  }
  if (!signal.aborted) await assessHealth(options.database, memory);
  await options.workerDatabase.transaction((tx) =>
    tx.execute(
      'UPDATE graph_memories SET lease_until = NULL WHERE tenant_id = $1 AND memory_id = $2 AND lease_owner = $3',
      [due.tenant_id, due.memory_id, options.owner],
    ),
  );
  return true;
}

/** A failed try keeps its lease, so that the next one comes only when that has run out. */
async function claimDue(options: UpkeepOptions): Promise<DueMemory | null> {
  const rows = await options.workerDatabase.transaction((tx) =>
    tx.query<DueMemory>(
      `UPDATE graph_memories AS memory SET lease_owner = $1, lease_until = now() + make_interval(secs => $2::float8 / 1000)
         FROM (SELECT tenant_id, memory_id FROM graph_memories
                WHERE (lease_until IS NULL OR lease_until < now())
                  AND (assessed_at IS NULL OR assessed_at < now() - make_interval(hours => ${ASSESS_EVERY_HOURS})
                    OR assessed_revision < revision OR analysed_revision < revision OR extractor_version < ${EXTRACTOR_VERSION})
                  AND (changed_at < now() - make_interval(secs => $3::float8 / 1000)
                    OR analysed_at < now() - make_interval(secs => $3::float8 * ${RESTLESS_FACTOR} / 1000))
                ORDER BY changed_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
        WHERE memory.tenant_id = due.tenant_id AND memory.memory_id = due.memory_id
       RETURNING memory.tenant_id, memory.memory_id, workspace_id, livemode, revision, analysed_revision, extractor_version`,
      [options.owner, LEASE_MS, options.settleMs],
    ),
  );
  return rows[0] ?? null;
}

async function extendLease(options: UpkeepOptions, due: DueMemory): Promise<void> {
  await options.workerDatabase.transaction((tx) =>
    tx.execute(
      `UPDATE graph_memories SET lease_until = now() + make_interval(secs => $4::float8 / 1000)
        WHERE tenant_id = $1 AND memory_id = $2 AND lease_owner = $3`,
      [due.tenant_id, due.memory_id, options.owner, LEASE_MS],
    ),
  );
}
