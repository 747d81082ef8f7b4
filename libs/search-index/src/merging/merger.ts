import { randomUUID } from 'node:crypto';
import type { Database } from '@cairn/postgres';
import type { Analyser } from '../analyser.ts';
import { isMergeDue, runMerge, type MergeReport, type MergeSettings } from './merge-job.ts';
import { renewLease, takeLease, type MergeLease, type MergePermission } from './merge-lease.ts';
import { MERGE_LANES, MERGE_LIMITS, type MergeLane, type MergeLimits } from './merge-policy.ts';
import { MergeQueue, HINTED_MEMORIES_MAX } from './merge-queue.ts';
import { isReindexDue, runReindex, type ChunkSource } from './reindex-job.ts';
import { MergeFencedError, sweepGarbage } from './replace-segments.ts';
import { FIELD_WEIGHTS, type FieldWeights } from '../segment/scoring.ts';
import type { IndexScope } from '../search-index.ts';

export interface MergerOptions {
  /** Connected as the service's worker role. */
  database: Database;
  /** That of the index. */
  analyser: Analyser;
  /** Default: all memories may be merged. */
  permission?: MergePermission;
  /** Called with the error of a failed merge; the merger continues. */
  onError: (error: unknown) => void;
  onMerged?: (memory: IndexScope, report: MergeReport) => void;
  /** Returns stored chunks, so that segments of an older analyser can be rebuilt; without it they stay. */
  chunkSource?: ChunkSource;
  limits?: MergeLimits;
  weights?: FieldWeights;
  /** A merger that dies holds its memory up this long. */
  leaseMs?: number;
  /**
   * How long replaced pages stay, longer than any statement may take. A search reads in a snapshot, which keeps them; this
   * is for one that read the manifest before, in a transaction of its own.
   */
  graceMs?: number;
  /** Between two looks over all memories, for what other processes added or left behind. */
  lookOverMs?: number;
}

export interface Merger {
  /** Does one merge if one is due; null when none is, or another merger has the memory. */
  mergeOnce(memory: IndexScope): Promise<MergeReport | null>;
  /** Says that a memory got a segment; cheap, and may be called before the commit. */
  notice(memory: IndexScope): void;
  /** Deletes pages whose time has come; returns how many segments were settled. */
  sweep(): Promise<number>;
  /** Merges in the background until `close`. */
  start(): void;
  close(): Promise<void>;
}

const DEFAULT_LEASE_MS = 30_000;
const DEFAULT_GRACE_MS = 60_000;
const DEFAULT_LOOK_OVER_MS = 30_000;
const RETRY_MS = 1_000;
const UNRESTRICTED: MergePermission = { condition: () => 'true', isRefusal: () => false };
/** How long the large lane sleeps when nothing is noticed. */
const IDLE_MS = 60_000;

/** Limits the number of segments of every memory. Any number of processes may run one. */
export function createMerger(options: MergerOptions): Merger {
  const settings: MergeSettings = {
    database: options.database,
    analyser: options.analyser,
    permission: options.permission ?? UNRESTRICTED,
    weights: options.weights ?? FIELD_WEIGHTS,
    limits: options.limits ?? MERGE_LIMITS,
    leaseMs: options.leaseMs ?? DEFAULT_LEASE_MS,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
  };
  const lanes = [MERGE_LANES.small, MERGE_LANES.large].map((lane) => new LaneMerger(options, settings, lane));

  async function lookOver(): Promise<void> {
    for (const memory of await memoriesDue(settings, options.chunkSource !== undefined))
      for (const lane of lanes) lane.queue.add(memory);
    while ((await sweepGarbage(settings.database)) > 0);
  }

  let running: Promise<unknown> | null = null;
  return {
    async mergeOnce(memory) {
      for (const lane of lanes) {
        const report = await lane.mergeOnce(memory);
        if (report !== null) return report;
      }
      return null;
    },
    notice: (memory) => lanes.forEach((lane) => lane.queue.add(memory)),
    sweep: () => sweepGarbage(settings.database),
    start() {
      const [small, large] = lanes;
      running ??= Promise.all([
        small!.loop(lookOver, options.lookOverMs ?? DEFAULT_LOOK_OVER_MS),
        large!.loop(null, IDLE_MS),
      ]);
    },
    async close() {
      for (const lane of lanes) lane.queue.close();
      await running;
    },
  };
}

/** The merges of one lane, one after the other. */
class LaneMerger {
  readonly queue = new MergeQueue();
  private readonly options: MergerOptions;
  private readonly settings: MergeSettings;
  private readonly lane: MergeLane;
  private readonly owner = randomUUID();

  constructor(options: MergerOptions, settings: MergeSettings, lane: MergeLane) {
    this.options = options;
    this.settings = settings;
    this.lane = lane;
  }

  async mergeOnce(memory: IndexScope): Promise<MergeReport | null> {
    const { settings, lane } = this;
    if (!(await isMergeDue(settings, memory, lane)) && !(await this.reindexDue(memory))) return null;
    const lease = await takeLease(settings, memory, lane, this.owner);
    if (lease === null) return null;
    try {
      return await this.work(lease);
    } finally {
      await renewLease(settings.database, lease, 0);
    }
  }

  // The large lane alone re-indexes; the small one merges on meanwhile, but only segments of one version.
  private async reindexDue(memory: IndexScope): Promise<boolean> {
    if (this.options.chunkSource === undefined || this.lane !== MERGE_LANES.large) return false;
    return isReindexDue(this.settings, memory);
  }

  private async work(lease: MergeLease): Promise<MergeReport | null> {
    const { chunkSource } = this.options;
    try {
      const merged = await runMerge(this.settings, lease);
      if (merged !== null || chunkSource === undefined || this.lane !== MERGE_LANES.large) return merged;
      return await runReindex(this.settings, lease, chunkSource);
    } catch (error) {
      // Dropped memories, those set aside and leases that ran out are nothing to report: what was written gets swept.
      if (error instanceof MergeFencedError || this.settings.permission.isRefusal(error)) return null;
      throw error;
    }
  }

  /** Merges what is noticed until the queue is closed, and calls `every` now and then. */
  async loop(every: (() => Promise<void>) | null, everyMs: number): Promise<void> {
    let everyAt = 0;
    while (!this.queue.closed) {
      try {
        if (Date.now() >= everyAt) {
          await every?.();
          everyAt = Date.now() + everyMs;
        }
        const memory = await this.queue.take(everyAt - Date.now());
        if (memory !== null) await this.mergeAll(memory);
      } catch (error) {
        if (this.queue.closed) return;
        this.options.onError(error);
        await this.queue.sleep(RETRY_MS);
      }
    }
  }

  private async mergeAll(memory: IndexScope): Promise<void> {
    for (let report = await this.mergeOnce(memory); report !== null; report = await this.mergeOnce(memory)) {
      this.options.onMerged?.(memory, report);
      if (this.queue.closed) return;
    }
  }
}

/** Memories with as many segments as make a merge likely, with many deletes, or with segments of an older analyser. */
async function memoriesDue(settings: MergeSettings, reindexes: boolean): Promise<IndexScope[]> {
  const rows = await settings.database.transaction((tx) =>
    tx.query<{ tenant_id: string; memory_id: string }>(
      `SELECT tenant_id, memory_id FROM (
         SELECT tenant_id, memory_id FROM index_segments GROUP BY tenant_id, memory_id
          HAVING count(*) >= $1 OR ($2 AND min(analyser_version) < $3)
         UNION SELECT tenant_id, memory_id FROM index_tombstones) AS due
        WHERE ${settings.permission.condition('due')} LIMIT $4`,
      [settings.limits.segmentsPerTier, reindexes, settings.analyser.version, HINTED_MEMORIES_MAX],
    ),
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, memoryId: row.memory_id }));
}
