import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteReader, ByteWriter, compareText } from './bytes.ts';
import { MemorySink } from './open-segment.ts';
import { PageSink } from './page-sink.ts';
import { STREAM } from './segment-format.ts';
import {
  blockOf,
  decodeTableIndex,
  findInBlock,
  keyAt,
  keysInBlock,
  SortedTableWriter,
  TABLE_BLOCK_KEYS,
} from './sorted-table.ts';
import { decodeOrdinals, encodeOrdinals } from './manifest.ts';
import { parseSnapshot, seesAllOf } from './snapshot-bounds.ts';

const validText = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed());

describe('bytes', () => {
  it('every whole number up to 2^53 − 1 and every text is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.maxSafeNat(), validText)), (values) => {
        const out = new ByteWriter(1);
        for (const [number, text] of values) {
          out.varint(number);
          out.text(text);
        }
        const input = new ByteReader(out.copy());
        for (const [number, text] of values) expect([input.varint(), input.text()]).toEqual([number, text]);
        expect(input.atEnd()).toBe(true);
      }),
    );
  });

  it('texts are ordered as their UTF-8 bytes are', () => {
    fc.assert(
      fc.property(validText, validText, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

describe('sorted tables', () => {
  it('a sorted table finds every key that was added, at its place, and no other key', () => {
    fc.assert(
      fc.property(fc.uniqueArray(validText, { minLength: 1, maxLength: 150 }), validText, (texts, other) => {
        const keys = [...texts].sort(compareText);
        const sink = new MemorySink();
        const writer = new SortedTableWriter(sink, STREAM.terms, STREAM.termIndex, 1);
        for (const [i, key] of keys.entries()) writer.add(key, [i * 3], [i]);
        writer.finish();
        const index = decodeTableIndex(sink.stream(STREAM.termIndex), keys.length, 1);
        const block = (n: number) => sink.stream(STREAM.terms).subarray(index.offsets[n], index.offsets[n + 1]);
        const find = (key: string) => {
          const n = blockOf(index, key);
          let payload = -1;
          const place =
            n < 0
              ? -1
              : findInBlock(block(n), keysInBlock(index, n), Buffer.from(key), (input) => {
                  payload = input.varint();
                });
          return place < 0 ? null : { ordinal: n * TABLE_BLOCK_KEYS + place, payload, key: keyAtPlain(n, place) };
        };
        const keyAtPlain = (n: number, place: number) =>
          place === 0 ? keyAt(block(n), 0) : keys[n * TABLE_BLOCK_KEYS + place];
        for (const [i, key] of keys.entries()) expect(find(key)).toEqual({ ordinal: i, payload: i * 3, key });
        expect(find(other) !== null).toBe(keys.includes(other));
        expect(index.sums[0]!.at(-1)).toBe(keys.reduce((sum, _, i) => sum + i, 0));
      }),
    );
  });
});

describe('tombstones', () => {
  it('ordinals are read as they were written, also from joined lists', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1_000_000)), (ordinals) => {
        const joined = Buffer.concat([encodeOrdinals(ordinals), encodeOrdinals([7])]);
        expect(decodeOrdinals(joined)).toEqual([...ordinals, 7]);
      }),
    );
  });
});

describe('snapshots', () => {
  const sees = (later: string, earlier: string) => seesAllOf(parseSnapshot(later), parseSnapshot(earlier));

  it('a snapshot is compared with another by the transactions that both see', () => {
    expect(sees('10:10:', '10:10:')).toBe(true);
    expect(sees('12:15:12', '10:12:10')).toBe(true);
    expect(sees('10:12:10', '12:15:12')).toBe(false);
    expect(sees('10:15:10', '10:12:10')).toBe(true);
    expect(sees('10:15:10', '12:12:')).toBe(false);
  });

  it("a replica's snapshot is certain only of transactions that ended before its oldest running one", () => {
    const onReplica = (text: string) => parseSnapshot(text, true);
    expect(seesAllOf(onReplica('12:15:'), parseSnapshot('10:12:10'))).toBe(true);
    expect(seesAllOf(onReplica('11:15:'), parseSnapshot('10:12:10'))).toBe(false);
    expect(seesAllOf(parseSnapshot('10:15:10'), onReplica('10:12:'))).toBe(false);
    expect(seesAllOf(parseSnapshot('12:15:12'), onReplica('10:12:'))).toBe(true);
  });
});

describe('pages', () => {
  async function fill(size: number) {
    const pages: { kind: number; pageNo: number; data: Buffer }[] = [];
    const sink = new PageSink((written) => Promise.resolve(void pages.push(...written)));
    const plain = new MemorySink();
    for (let at = 0; at < size; at += 700) {
      const bytes = Buffer.alloc(700, at % 251);
      const kind = at % 3 === 0 ? STREAM.postings : STREAM.chunkIds;
      sink.append(kind, bytes);
      plain.append(kind, bytes);
      if (sink.full) await sink.flush();
    }
    return { sink, plain, pages };
  }

  it('a page sink cuts streams into pages that join to what was appended', async () => {
    const { sink, plain, pages } = await fill(3_000_000);
    expect(await sink.finish()).toBeNull();
    for (const kind of [STREAM.postings, STREAM.chunkIds]) {
      const own = pages.filter((page) => page.kind === kind);
      expect(own.map((page) => page.pageNo)).toEqual(own.map((_, i) => i));
      expect(Buffer.concat(own.map((page) => page.data)).equals(plain.stream(kind))).toBe(true);
    }
  });

  it('a page sink writes no page while the segment is small', async () => {
    const { sink, pages } = await fill(10_000);
    await sink.flush();
    expect(pages).toEqual([]);
  });
});
