import type { Tx } from '@cairn/postgres';
import { LRUCache } from 'lru-cache';
import { ByteReader, ByteWriter } from './bytes.ts';
import type { Manifest } from './manifest.ts';
import type { MemoryRef } from './search-index.ts';

/** Ordinals ascending, as distances. */
export function encodeOrdinals(ordinals: readonly number[]): Buffer {
  const out = new ByteWriter();
  let previous = -1;
  for (const ordinal of [...ordinals].sort((a, b) => a - b)) {
    out.varint(ordinal - previous - 1);
    previous = ordinal;
  }
  return out.copy();
}

export function decodeOrdinals(bytes: Uint8Array): number[] {
  const input = new ByteReader(bytes);
  const ordinals: number[] = [];
  let previous = -1;
  while (!input.atEnd()) {
    previous += input.varint() + 1;
    ordinals.push(previous);
  }
  return ordinals;
}

/** Bits of the living chunks by segment; a segment that is not in it has no deleted chunk. */
export type AliveBits = ReadonlyMap<string, Uint8Array>;

interface Known {
  incarnation: string;
  version: number;
  alive: AliveBits;
}

const ENTRY_OVERHEAD_BYTES = 500;

/**
 * The deleted chunks of memories, kept from search to search. A memory's version rises under its row lock in
 * every transaction that deletes or merges, so versions are in commit order and a newer snapshot needs only
 * the rows above the version known. An older snapshot, or one inside a transaction that has written, reads for
 * itself and leaves the cache alone.
 */
export class TombstoneCache {
  private readonly memories: LRUCache<string, Known>;

  constructor(maxBytes: number) {
    this.memories = new LRUCache<string, Known>({
      maxSize: maxBytes,
      sizeCalculation: (known) => ENTRY_OVERHEAD_BYTES + bytesOf(known.alive),
    });
  }

  async aliveBits(tx: Tx, memory: MemoryRef, manifest: Manifest): Promise<AliveBits> {
    const key = `${memory.tenantId}\0${memory.memoryId}`;
    const cached = this.memories.get(key);
    const known = cached?.incarnation === manifest.incarnation ? cached : undefined;
    if (manifest.committed && known?.version === manifest.tombstoneVersion) return known.alive;
    const base: Known =
      known !== undefined && known.version < manifest.tombstoneVersion
        ? known
        : { ...manifest, version: 0, alive: new Map() };
    const alive = await readAfter(tx, memory, manifest, base);
    if (manifest.committed && (known === undefined || known.version < manifest.tombstoneVersion)) {
      this.memories.set(key, { incarnation: manifest.incarnation, version: manifest.tombstoneVersion, alive });
    }
    return alive;
  }
}

function bytesOf(alive: AliveBits): number {
  let bytes = 0;
  for (const bits of alive.values()) bytes += bits.byteLength + ENTRY_OVERHEAD_BYTES;
  return bytes;
}

/** The bits of the manifest's segments: those known before, less what rows above the known version delete. */
async function readAfter(tx: Tx, memory: MemoryRef, manifest: Manifest, base: Known): Promise<AliveBits> {
  const rows = manifest.tombstoneVersion === 0 ? [] : await readTombstones(tx, memory, base.version);
  const bySegment = Map.groupBy(rows, (row) => row.segmentId);
  const alive = new Map<string, Uint8Array>();
  for (const { segmentId, chunkCount } of manifest.segments) {
    const before = base.alive.get(segmentId);
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

export interface TombstoneRow {
  segmentId: string;
  version: number;
  ordinals: number[];
}

/** Deletions of a memory above a version. */
export async function readTombstones(tx: Tx, memory: MemoryRef, aboveVersion: number): Promise<TombstoneRow[]> {
  const rows = await tx.query<{ segment_id: string; version: number; ordinals: Buffer }>({
    name: 'index_tombstones_above',
    text: `SELECT segment_id, version, ordinals FROM index_tombstones WHERE tenant_id = $1 AND memory_id = $2 AND version > $3`,
    values: [memory.tenantId, memory.memoryId, aboveVersion],
  });
  return rows.map((row) => ({
    segmentId: row.segment_id,
    version: row.version,
    ordinals: decodeOrdinals(row.ordinals),
  }));
}

export async function insertTombstones(
  tx: Tx,
  memory: MemoryRef,
  version: number,
  segmentId: string,
  ordinals: readonly number[],
): Promise<void> {
  await tx.execute({
    name: 'index_insert_tombstones',
    text: `INSERT INTO index_tombstones (tenant_id, memory_id, version, segment_id, ordinals) VALUES ($1, $2, $3, $4, $5)`,
    values: [memory.tenantId, memory.memoryId, version, segmentId, encodeOrdinals(ordinals)],
  });
}

export async function deleteTombstones(tx: Tx, memory: MemoryRef, segmentIds: readonly string[]): Promise<void> {
  await tx.execute({
    name: 'index_delete_tombstones',
    text: 'DELETE FROM index_tombstones WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = ANY ($3::uuid[])',
    values: [memory.tenantId, memory.memoryId, segmentIds],
  });
}

/** Locks the memory for a delete or a merge's commit, and gives its version; null when it has no index. */
export async function lockMemory(tx: Tx, memory: MemoryRef): Promise<number | null> {
  const rows = await tx.query<{ tombstone_version: number }>({
    name: 'index_lock_memory',
    text: 'SELECT tombstone_version FROM index_memories WHERE tenant_id = $1 AND memory_id = $2 FOR NO KEY UPDATE',
    values: [memory.tenantId, memory.memoryId],
  });
  return rows[0]?.tombstone_version ?? null;
}

export async function setVersion(tx: Tx, memory: MemoryRef, version: number): Promise<void> {
  await tx.execute({
    name: 'index_set_version',
    text: 'UPDATE index_memories SET tombstone_version = $3 WHERE tenant_id = $1 AND memory_id = $2',
    values: [memory.tenantId, memory.memoryId, version],
  });
}
