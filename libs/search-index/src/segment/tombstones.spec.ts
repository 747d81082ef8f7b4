import { expect, it } from '@jest/globals';
import type { Tx } from '@cairn/postgres';
import { encodeOrdinals } from './manifest.ts';
import { TombstoneCache } from './tombstones.ts';

interface Shown {
  /** As PostgreSQL writes it; of a replica the list of what is running is always empty. */
  snapshot: string;
  replica?: boolean;
  segments: string[];
  tombstones?: { segment: string; xid: bigint; ordinals: number[] }[];
}

const MEMORY = { tenantId: 'tnt_a', memoryId: 'mem_a' };
const CHUNKS = 8;

/** A snapshot that shows this, and counts how often the manifest is read in it. */
function snapshotOf(shown: Shown): { tx: Tx; reads: () => number } {
  let reads = 0;
  const query = async ({ values }: { values: unknown[] }) => {
    reads += 1;
    const since = BigInt(values[2] as string);
    const common = { snapshot: shown.snapshot, replica: shown.replica === true, committed: true, languages: '' };
    return [
      ...shown.segments.map((segment_id) => ({ ...common, segment_id, chunk_count: CHUNKS, ordinals: null })),
      ...(shown.tombstones ?? [])
        .filter(({ xid }) => xid >= since)
        .map(({ segment, xid, ordinals }) => ({
          segment_id: segment,
          xid: String(xid),
          marked_at: new Date(0),
          ordinals: encodeOrdinals(ordinals),
        })),
    ];
  };
  return { tx: { query } as unknown as Tx, reads: () => reads };
}

function openCache() {
  const cache = new TombstoneCache(1_000_000).of('spec');
  return async (shown: Shown) => {
    const { tx, reads } = snapshotOf(shown);
    const { alive } = (await cache.read(tx, MEMORY))!;
    const deadOf = (segment: string) =>
      Array.from({ length: CHUNKS }, (_none, n) => n).filter(
        (n) => ((alive.get(segment)?.[0] ?? 0xff) & (1 << n)) === 0,
      );
    return { dead: Object.fromEntries(shown.segments.map((segment) => [segment, deadOf(segment)])), reads: reads() };
  };
}

it('a replica that does not show a merge yet still hides the deleted chunks of the merged segments', async () => {
  const read = openCache();
  await read({ snapshot: '110:110:', segments: ['merged', 'other'] });
  const behind = { segments: ['old', 'other'], tombstones: [{ segment: 'old', xid: 50n, ordinals: [0, 3] }] };
  expect(await read({ snapshot: '100:110:', replica: true, ...behind })).toMatchObject({
    dead: { old: [0, 3], other: [] },
    reads: 2,
  });
});

it('a replica reads the manifest once while the segments stay the same, even if transactions write elsewhere', async () => {
  const read = openCache();
  const deleted = (...xids: bigint[]) => xids.map((xid, n) => ({ segment: 'one', xid, ordinals: [n] }));
  await read({ snapshot: '100:104:100', segments: ['one'], tombstones: deleted(50n) });
  const later = { replica: true, segments: ['one'], tombstones: deleted(50n, 102n, 105n) };
  expect(await read({ snapshot: '100:106:', ...later })).toEqual({ dead: { one: [0, 1, 2] }, reads: 1 });
  const added = { ...later, segments: ['one', 'two'] };
  expect(await read({ snapshot: '100:108:', ...added })).toEqual({ dead: { one: [0, 1, 2], two: [] }, reads: 2 });
  expect(await read({ snapshot: '100:109:', ...added })).toEqual({ dead: { one: [0, 1, 2], two: [] }, reads: 1 });
});
