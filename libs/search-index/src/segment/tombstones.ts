import type { Tx } from '@cairn/postgres';
import { LRUCache } from 'lru-cache';
import { encodeOrdinals, readManifest, type Manifest, type TombstoneRow } from './manifest.ts';
import { seesAllOf, type SnapshotBounds } from './snapshot-bounds.ts';
import type { IndexScope } from '../search-index.ts';

/** Bits of the living chunks by segment; a segment that is not in it has no deleted chunk. */
export type LiveBits = ReadonlyMap<string, Uint8Array>;

interface Known {
  snapshot: SnapshotBounds;
  segmentIds: ReadonlySet<string>;
  alive: LiveBits;
}

interface ManifestAndAlive {
  manifest: Manifest;
  alive: LiveBits;
}

export interface DatabaseTombstones {
  /** Manifest and living chunks of one snapshot, in one round trip; null when the memory has no index. */
  read(tx: Tx, memory: IndexScope): Promise<ManifestAndAlive | null>;
}

const ENTRY_OVERHEAD_BYTES = 500;

/**
 * The deleted chunks of memories, cached from search to search. What one snapshot saw is the base for a later
 * one, which adds the deletions of transactions that were running or not yet begun then. A snapshot that does
 * not see all of the base reads everything, and one inside a transaction that has written leaves the cache alone.
 */
export class TombstoneCache {
  private readonly memories: LRUCache<string, Known>;

  constructor(maxBytes: number) {
    this.memories = new LRUCache<string, Known>({
      maxSize: maxBytes,
      sizeCalculation: (known) => ENTRY_OVERHEAD_BYTES + bytesOf(known.alive),
    });
  }

  /** The part of one database. */
  of(databaseName: string): DatabaseTombstones {
    return { read: (tx, memory) => this.read(tx, memory, `${databaseName}\0${memory.tenantId}\0${memory.memoryId}`) };
  }

  private async read(tx: Tx, memory: IndexScope, key: string): Promise<ManifestAndAlive | null> {
    const known = this.memories.get(key);
    const manifest = await readManifest(tx, memory, known?.snapshot.xmin);
    if (manifest === null) return null;
    const isBase = known === undefined || buildsOn(manifest, known);
    const read = isBase ? { manifest, alive: aliveBits(manifest, known?.alive) } : await readWhole(tx, memory);
    if (read === null) return null;
    const isLatest = known === undefined || read.manifest.snapshot.xmax >= known.snapshot.xmax;
    if (read.manifest.committed && isLatest) this.memories.set(key, { ...knownOf(read.manifest), alive: read.alive });
    return read;
  }
}

function knownOf({ snapshot, segments }: Manifest): Omit<Known, 'alive'> {
  return { snapshot, segmentIds: new Set(segments.map(({ segmentId }) => segmentId)) };
}

/**
 * True when what is known is a base for the manifest. On a replica the snapshot does not say whether it sees all that was
 * known. Then it is enough that the segments are the same: nothing was added or merged in between, and what was known to
 * be deleted is deleted by now, if only by a commit that the replica shows in a moment.
 */
function buildsOn(manifest: Manifest, known: Known): boolean {
  if (seesAllOf(manifest.snapshot, known.snapshot)) return true;
  if (manifest.snapshot.inProgress !== null && known.snapshot.inProgress !== null) return false;
  const { segments } = manifest;
  return (
    segments.length === known.segmentIds.size && segments.every(({ segmentId }) => known.segmentIds.has(segmentId))
  );
}

/** As the cache's `read`, without a cache. */
export async function readWhole(tx: Tx, memory: IndexScope): Promise<ManifestAndAlive | null> {
  const manifest = await readManifest(tx, memory);
  return manifest === null ? null : { manifest, alive: aliveBits(manifest) };
}

function bytesOf(alive: LiveBits): number {
  let bytes = 0;
  for (const bits of alive.values()) bytes += bits.byteLength + ENTRY_OVERHEAD_BYTES;
  return bytes;
}

/** The bits of the manifest's segments: those known before, less what its tombstones delete, reused or rebuilt. */
function aliveBits(manifest: Manifest, base: LiveBits = new Map()): LiveBits {
  const bySegment = Map.groupBy(manifest.tombstones, (row) => row.segmentId);
  const alive = new Map<string, Uint8Array>();
  for (const { segmentId, chunkCount } of manifest.segments) {
    const before = base.get(segmentId);
    const deleted = bySegment.get(segmentId);
    if (deleted === undefined) {
      if (before !== undefined) alive.set(segmentId, before);
      continue;
    }
    const bits = before?.slice() ?? new Uint8Array(Math.ceil(chunkCount / 8)).fill(0xff);
    for (const { ordinals } of deleted) for (const ordinal of ordinals) bits[ordinal >>> 3]! &= ~(1 << (ordinal & 7));
    alive.set(segmentId, bits);
  }
  return alive;
}

/**
 * Marks chunks of a segment as deleted by this transaction. Marks that only take the place of earlier `rows` keep
 * the time of the oldest: it says when the words leave the disk, and may not be put off.
 */
export async function insertTombstones(
  tx: Tx,
  memory: IndexScope,
  segmentId: string,
  ordinals: readonly number[],
  rows: readonly TombstoneRow[] = [],
): Promise<void> {
  const oldest = rows.length === 0 ? null : new Date(Math.min(...rows.map((row) => row.markedAt.getTime())));
  await tx.execute({
    name: 'index_insert_tombstones',
    text: `INSERT INTO index_tombstones AS held (tenant_id, memory_id, segment_id, ordinals, marked_at)
           VALUES ($1, $2, $3, $4, least(now(), $5::timestamptz))
           ON CONFLICT (tenant_id, memory_id, xid, segment_id) DO UPDATE
             SET ordinals = held.ordinals || excluded.ordinals, marked_at = least(held.marked_at, excluded.marked_at)`,
    values: [memory.tenantId, memory.memoryId, segmentId, encodeOrdinals(ordinals), oldest],
  });
}

/** Takes rows away that were read before, and no others: one may have come in between. */
export async function deleteTombstones(tx: Tx, memory: IndexScope, rows: readonly TombstoneRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute({
    name: 'index_delete_tombstones',
    text: `DELETE FROM index_tombstones t USING unnest($3::uuid[], $4::text[]) AS gone (segment_id, xid)
            WHERE t.tenant_id = $1 AND t.memory_id = $2 AND t.segment_id = gone.segment_id AND t.xid = gone.xid::xid8`,
    values: [memory.tenantId, memory.memoryId, rows.map((row) => row.segmentId), rows.map((row) => row.xid)],
  });
}

/** Holds the memory against being dropped until the transaction ends; false when it has no index. Shared by all writers. */
export async function shareMemory(tx: Tx, memory: IndexScope): Promise<boolean> {
  const rows = await tx.query({
    name: 'index_share_memory',
    text: 'SELECT 1 FROM index_memories WHERE tenant_id = $1 AND memory_id = $2 FOR KEY SHARE',
    values: [memory.tenantId, memory.memoryId],
  });
  return rows.length > 0;
}

/**
 * Deletes share this lock and run side by side; a merge's commit takes it alone, so that no delete marks a
 * segment while it is being replaced. An advisory lock, because its queue is fair: deletes that keep coming do
 * not hold a merge up for ever. Two memories with the same hash wait for each other, nothing worse.
 */
export async function lockSegments(tx: Tx, memory: IndexScope, mode: 'shared' | 'exclusive'): Promise<void> {
  await tx.query({
    name: `index_lock_segments_${mode}`,
    text: `SELECT ${mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'}(hashtextextended($1, 0))`,
    values: [`index segments\u0001${memory.tenantId}\u0001${memory.memoryId}`],
  });
}
