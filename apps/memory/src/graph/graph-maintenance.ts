import { startLoop } from '@cairn/background';
import type { Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { ANALYSIS_VERSION, recomputeGraphMetrics } from './analysis/graph-metrics.ts';
import { EXTRACTOR_VERSION } from './extract/extraction.ts';
import { assessHealth } from './health/assess-health.ts';
import type { GraphLinker } from './linking/graph-linker.ts';
import { relinkSlice } from './linking/relink-memory.ts';
import type { AttributedMemory } from '../memories/memory-scope.ts';
import { claimMemory, release, saveRelinked, whileClaimed } from './maintenance-claims.ts';

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
const ANALYSIS_TIMEOUT_MS = 90_000;
const ANALYSIS_MEMORY_MAX_MB = 2_048;
/** After so long, reading a memory again lets others have their turn. */
const RELINK_SLICE_MS = 10_000;
const LOCKED_PAUSE_MS = 1_000;
/** A closed memory stays due until it is erased: the others have their turn meanwhile. */
const CLOSED_PAUSE_MS = 60_000;

/**
 * Communities, centrality and health, after a memory's ingest has settled, and health daily besides; before them, what
 * an older version of the extractor read is read again. One memory at a time and engine; a claim is a lease, so that
 * replicas share the work and a dead one's is taken over.
 */
export function startGraphMaintenance(options: UpkeepOptions): Running {
  const pollMs = options.pollMs ?? POLL_MS;
  return startLoop({
    work: (signal) => upkeepOnce(options, signal),
    pollMs,
    onError: (error) => options.logger.warn({ err: error }, 'graph upkeep: maintaining a graph failed; retrying'),
    backoffMs: pollMs,
    backoffMaxMs: pollMs,
  });
}

/** Works on the memory that is due for longest; false when none is. */
async function upkeepOnce(options: UpkeepOptions, stopped: AbortSignal): Promise<boolean> {
  const due = await claimMemory(options);
  if (due === null) return false;
  const memory: AttributedMemory = {
    tenantId: due.tenant_id,
    memoryId: due.memory_id,
    workspaceId: due.workspace_id,
    livemode: due.livemode,
  };
  const pauseMs = await whileClaimed(options.workerDatabase, due, stopped, async (signal) => {
    if (due.extractor_version < EXTRACTOR_VERSION) {
      const done = await relinkSlice(options, memory, {
        after: due.relink_after,
        sliceMs: RELINK_SLICE_MS,
        signal,
        reached: (docId) => saveRelinked(options.workerDatabase, due, docId),
      });
      if (done !== 'finished') return done === 'blocked' ? LOCKED_PAUSE_MS : 0;
    } else if (due.analysed_revision < due.revision || due.analysis_version < ANALYSIS_VERSION) {
      const limits = { timeoutMs: ANALYSIS_TIMEOUT_MS, memoryMaxMb: ANALYSIS_MEMORY_MAX_MB };
      await recomputeGraphMetrics(options.database, memory, limits, signal);
    }
    if (signal.aborted) return 0;
    return (await assessHealth(options.database, memory)) ? 0 : CLOSED_PAUSE_MS;
  });
  await release(options.workerDatabase, due, pauseMs);
  return true;
}
