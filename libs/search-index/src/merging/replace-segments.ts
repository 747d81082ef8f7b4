import type { Database, Tx } from '@cairn/postgres';
import { readManifest, type TombstoneRow } from '../segment/manifest.ts';
import { holdsLease, type MergeLease } from './merge-lease.ts';
import type { SegmentHeader } from '../segment/segment-format.ts';
import { insertRow } from '../segment/segment-store.ts';
import { deleteTombstones, insertTombstones, lockSegments, shareMemory } from '../segment/tombstones.ts';
import type { IndexScope } from '../search-index.ts';

/** A segment whose pages are written and that waits for its manifest row. */
export interface NewSegment {
  segmentId: string;
  header: SegmentHeader;
  byteSize: number;
  /** All of a small segment; null when it lies in pages. */
  packed: Buffer | null;
}

interface Replacement {
  lease: MergeLease;
  inputs: readonly { segmentId: string; paged: boolean }[];
  outputs: readonly NewSegment[];
  /** Where a chunk of an input went; null when it was deleted before the inputs were read. */
  locate: (inputId: string, ordinal: number) => { segmentId: string; ordinal: number } | null;
  /** How long the inputs' pages outlive the commit, for readers that hold no snapshot. */
  graceMs: number;
}

/** The lease was lost, or the memory dropped, while a merge ran. Nothing was changed. */
export class MergeFencedError extends Error {}

/**
 * Puts outputs in the place of inputs, in one short transaction that no delete runs beside: deletes that committed
 * while the merge ran are read again there and marked in the outputs.
 */
export async function replaceSegments(database: Database, replacement: Replacement): Promise<void> {
  const { memory } = replacement.lease;
  const inputIds = replacement.inputs.map((input) => input.segmentId);
  await database.transaction(async (tx) => {
    const exists = await shareMemory(tx, memory);
    await lockSegments(tx, memory, 'exclusive');
    if (!exists || !(await holdsLease(tx, replacement.lease))) throw new MergeFencedError('the merge lease was lost');
    const removed = await tx.execute({
      name: 'index_remove_segments',
      text: 'DELETE FROM index_segments WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = ANY ($3::uuid[])',
      values: [memory.tenantId, memory.memoryId, inputIds],
    });
    if (removed !== inputIds.length) throw new MergeFencedError('an input of the merge is gone');
    for (const output of replacement.outputs) await publish(tx, memory, output);
    await moveTombstones(tx, replacement, inputIds);
    const paged = replacement.inputs.filter((input) => input.paged).map((input) => input.segmentId);
    await addGarbage(tx, memory, paged, replacement.graceMs);
  });
}

async function publish(tx: Tx, memory: IndexScope, output: NewSegment): Promise<void> {
  await insertRow(tx, memory, output.segmentId, output.header, output.byteSize, output.packed);
  if (output.packed !== null) return;
  const spared = await tx.execute({
    name: 'index_keep_segment',
    text: 'DELETE FROM index_garbage WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = $3',
    values: [memory.tenantId, memory.memoryId, output.segmentId],
  });
  if (spared !== 1) throw new MergeFencedError('the pages of the merge were swept');
}

/** Moves the marks of chunks that were alive when the inputs were read to the outputs; deletes the rest. */
async function moveTombstones(tx: Tx, { lease, locate }: Replacement, inputIds: readonly string[]): Promise<void> {
  const inputs = new Set(inputIds);
  const manifest = await readManifest(tx, lease.memory);
  const rows = manifest?.tombstones.filter((row) => inputs.has(row.segmentId)) ?? [];
  const moved = new Map<string, { ordinals: number[]; rows: TombstoneRow[] }>();
  for (const row of rows) {
    for (const ordinal of row.ordinals) {
      const place = locate(row.segmentId, ordinal);
      if (place === null) continue;
      const marks = moved.get(place.segmentId) ?? { ordinals: [], rows: [] };
      marks.ordinals.push(place.ordinal);
      if (marks.rows.at(-1) !== row) marks.rows.push(row);
      moved.set(place.segmentId, marks);
    }
  }
  await deleteTombstones(tx, lease.memory, rows);
  for (const [segmentId, marks] of moved)
    await insertTombstones(tx, lease.memory, segmentId, marks.ordinals, marks.rows);
}

/** Says that a segment's pages are to go at a time unless a manifest names it then. */
export async function addGarbage(
  tx: Tx,
  memory: IndexScope,
  segmentIds: readonly string[],
  afterMs: number,
): Promise<void> {
  if (segmentIds.length === 0) return;
  await tx.execute({
    name: 'index_add_garbage',
    text: `INSERT INTO index_garbage (tenant_id, memory_id, segment_id, due_at)
           SELECT $1, $2, segment_id, now() + make_interval(secs => $4 / 1000.0) FROM unnest($3::uuid[]) AS segment_id
           ON CONFLICT (tenant_id, memory_id, segment_id) DO UPDATE SET due_at = excluded.due_at`,
    values: [memory.tenantId, memory.memoryId, segmentIds, afterMs],
  });
}

/** Puts a sweep off; false when it has happened. */
export async function postponeSweep(tx: Tx, memory: IndexScope, segmentId: string, afterMs: number): Promise<boolean> {
  const postponed = await tx.execute({
    name: 'index_postpone_sweep',
    text: `UPDATE index_garbage SET due_at = now() + make_interval(secs => $4 / 1000.0)
            WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = $3`,
    values: [memory.tenantId, memory.memoryId, segmentId, afterMs],
  });
  return postponed === 1;
}

/** Segments swept per call. */
const SWEPT_SEGMENTS_MAX = 20;

/**
 * Deletes the pages of segments whose time has come and that no manifest names; returns how many garbage rows
 * were settled. Several processes may sweep at once.
 */
export async function sweepGarbage(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const due = await tx.query<{ tenant_id: string; memory_id: string; segment_id: string }>(
      `SELECT tenant_id, memory_id, segment_id FROM index_garbage WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [SWEPT_SEGMENTS_MAX],
    );
    for (const { tenant_id, memory_id, segment_id } of due) {
      const values = [tenant_id, memory_id, segment_id];
      await tx.execute(
        `DELETE FROM index_pages page WHERE page.tenant_id = $1 AND page.memory_id = $2 AND page.segment_id = $3
            AND NOT EXISTS (SELECT 1 FROM index_segments s WHERE s.tenant_id = $1 AND s.memory_id = $2 AND s.segment_id = $3)`,
        values,
      );
      await tx.execute('DELETE FROM index_garbage WHERE tenant_id = $1 AND memory_id = $2 AND segment_id = $3', values);
    }
    return due.length;
  });
}
