import { CairnError } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { isUnavailable } from '../memories/unavailable.ts';
import { hasChangesUpTo, lastChange } from './search-changes.ts';
import {
  deletePlacement,
  holdPlacement,
  isInCluster,
  recordIndexLag,
  type ReadPlacement,
  readPlacement,
  type SearchPhase,
  type SearchPlacement,
} from './search-placement.ts';

interface PlacedIndexOptions {
  database: Database;
  segments: SearchIndex;
  openSearch: SearchIndex;
  /** Where new memories begin. */
  begins: Pick<SearchPlacement, 'phase' | 'keepsSegments'>;
  /** Called for a search that the segments answered because the cluster could not be reached. */
  onFallback: (error: unknown) => void;
}

const ANSWERED_BY_CLUSTER: ReadonlySet<SearchPhase> = new Set(['serving', 'leaving']);
const RETRY_AFTER_SECONDS = 10;

/** The index of an engine: for each memory the one that it is placed in, or both while it moves. */
export function createPlacedIndex(options: PlacedIndexOptions): SearchIndex {
  const { database, segments, openSearch, onFallback } = options;
  const writtenTo = async (tx: Tx, memory: MemoryScope) =>
    indexesOf(await holdPlacement(tx, memory, options.begins), options);
  return {
    async add(tx, memory, chunks) {
      for (const index of await writtenTo(tx, memory)) await index.add(tx, memory, chunks);
    },
    async remove(tx, memory, chunkIds) {
      for (const index of await writtenTo(tx, memory)) await index.remove(tx, memory, chunkIds);
    },
    async drop(tx, memory) {
      const placement = await readPlacement(tx, memory);
      if (!(await segments.drop(tx, memory))) return false;
      if (placement === null) return true;
      if (isInCluster(placement) && !(await openSearch.drop(tx, memory))) return false;
      await deletePlacement(tx, memory);
      return true;
    },
    async expunge(tx, memory) {
      const mark = await segments.expunge(tx, memory);
      return mark ?? (isInCluster(await readPlacement(tx, memory)) ? openSearch.expunge(tx, memory) : null);
    },
    async expunged(tx, memory, mark) {
      if (!(await segments.expunged(tx, memory, mark))) return false;
      const placement = await readPlacement(tx, memory);
      if (!isInCluster(placement)) return true;
      // All of it is on its way out.
      return placement.phase === 'segments' ? false : openSearch.expunged(tx, memory, mark);
    },
    async search(snapshot, memory, query) {
      const placement = await readPlacement(snapshot, memory);
      if (placement === null || !ANSWERED_BY_CLUSTER.has(placement.phase))
        return segments.search(snapshot, memory, query);
      if (placement.keepsSegments && (await isBehind(snapshot, memory, placement)))
        return segments.search(snapshot, memory, query);
      if (placement.isLost)
        throw new CairnError('unavailable', 'The index of this memory is being rebuilt.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      try {
        return await openSearch.search(snapshot, memory, query);
      } catch (error) {
        if (!placement.keepsSegments || !isUnavailable(error)) throw error;
        onFallback(error);
        return segments.search(snapshot, memory, query);
      }
    },
    async publish(memory) {
      const placement = await database.withTenant(memory.tenantId, (tx) => readPlacement(tx, memory));
      if (placement === null || !ANSWERED_BY_CLUSTER.has(placement.phase)) return;
      await openSearch.publish(memory).catch(async (error: unknown) => {
        if (!placement.keepsSegments || !isUnavailable(error)) throw error;
        // The segments have it, and they answer until the cluster has it too.
        await database.withTenant(memory.tenantId, async (tx) => {
          const last = await lastChange(tx, memory);
          if (last !== null) await recordIndexLag(tx, memory, last);
        });
      });
    },
  };
}

/** Whether the cluster lacks documents that were reported as `completed`. */
async function isBehind(
  snapshot: Tx,
  memory: MemoryScope,
  { isLost, phase, copiedTo, behindTo }: ReadPlacement,
): Promise<boolean> {
  if (isLost || (phase === 'serving' && copiedTo !== null)) return true;
  return behindTo !== null && hasChangesUpTo(snapshot, memory, behindTo);
}

function indexesOf(
  { phase, keepsSegments }: SearchPlacement,
  { segments, openSearch }: Pick<PlacedIndexOptions, 'segments' | 'openSearch'>,
): SearchIndex[] {
  if (phase === 'segments') return [segments];
  if (phase === 'serving' && !keepsSegments) return [openSearch];
  return [segments, openSearch];
}
