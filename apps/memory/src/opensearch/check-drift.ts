import type { Database, Tx } from '@cairn/postgres';
import { compareText } from '@cairn/search-index';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { recordChanges } from './search-changes.ts';
import type { ListedRecord, SearchCluster } from './search-cluster.ts';
import { holdPlacement } from './search-placement.ts';

/** How far the cluster is from PostgreSQL. What was committed during the check may count. */
export interface Drift {
  chunks: number;
  /** In PostgreSQL and not in the cluster. */
  missing: number;
  /** In the cluster and not in PostgreSQL. */
  surplus: number;
  /** In another vault there than here. */
  misplaced: number;
}

const PAGE = 5_000;

/** Compares a memory's chunks, page by page of their ids; with `repair` notes those that differ for the indexer. */
export async function checkDrift(
  deps: { database: Database; cluster: SearchCluster },
  memory: MemoryScope,
  repair: boolean,
): Promise<Drift> {
  const drift: Drift = { chunks: 0, missing: 0, surplus: 0, misplaced: 0 };
  for (let after = ''; ;) {
    const from = after;
    const [here, there] = await Promise.all([
      deps.database.withTenant(memory.tenantId, (tx) => listStored(tx, memory, from)),
      deps.cluster.list(memory, from, PAGE),
    ]);
    if (here.length === 0 && there.length === 0) return drift;
    // Beyond the end of a full page nothing is known yet.
    const ends = [here, there].flatMap((page) => (page.length < PAGE ? [] : [page.at(-1)!.chunkId]));
    const until = ends.sort(compareText)[0] ?? null;
    const isKnown = ({ chunkId }: ListedRecord) => until === null || compareText(chunkId, until) <= 0;
    const differing = compare(here.filter(isKnown), there.filter(isKnown), drift);
    if (repair) await deps.database.withTenant(memory.tenantId, (tx) => noteDiffering(tx, memory, differing));
    if (until === null) return drift;
    after = until;
  }
}

/** Nothing is sent of a memory that has left the cluster meanwhile. */
async function noteDiffering(tx: Tx, memory: MemoryScope, chunkIds: readonly string[]): Promise<void> {
  const { phase } = await holdPlacement(tx, memory, { phase: 'segments', keepsSegments: false });
  if (phase !== 'segments') await recordChanges(tx, memory, chunkIds);
}

async function listStored(tx: Tx, { tenantId, memoryId }: MemoryScope, after: string): Promise<ListedRecord[]> {
  const rows = await tx.query<{ chunk_id: string; vault_id: string }>(
    `SELECT chunk_id, vault_id FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id > $3
      ORDER BY chunk_id LIMIT $4`,
    [tenantId, memoryId, after, PAGE],
  );
  return rows.map((row) => ({ chunkId: row.chunk_id, vaultId: row.vault_id }));
}

/** Adds what differs to the drift and returns its ids. */
function compare(here: readonly ListedRecord[], there: readonly ListedRecord[], drift: Drift): string[] {
  const stored = new Map(here.map((chunk) => [chunk.chunkId, chunk.vaultId]));
  const indexed = new Map(there.map((chunk) => [chunk.chunkId, chunk.vaultId]));
  const missing = [...stored.keys()].filter((chunkId) => !indexed.has(chunkId));
  const surplus = [...indexed.keys()].filter((chunkId) => !stored.has(chunkId));
  const misplaced = [...stored].flatMap(([chunkId, vaultId]) =>
    indexed.has(chunkId) && indexed.get(chunkId) !== vaultId ? [chunkId] : [],
  );
  drift.chunks += stored.size;
  drift.missing += missing.length;
  drift.surplus += surplus.length;
  drift.misplaced += misplaced.length;
  return [...missing, ...surplus, ...misplaced];
}
