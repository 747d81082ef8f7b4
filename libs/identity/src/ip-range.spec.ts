import { describe, expect, it } from '@jest/globals';
import { BlockList } from 'node:net';
import fc from 'fast-check';
import { parseIpRange, rangeContains, rangeHolds } from './ip-range.ts';
import corpus from './ip-range.corpus.json' with { type: 'json' };

/**
 * A reference that shares nothing with the code: bits compared one by one, over an address that is written by it too.
 * An IPv4 address and the IPv6 address that maps it are one address here, so both lie in one space of 128 bits.
 */
const V4_PREFIX = `${'0'.repeat(80)}${'1'.repeat(16)}`;
const bitsOfBytes = (bytes: readonly number[]) => bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');

interface Sample {
  text: string;
  /** 128 bits. */
  bits: string;
  family: 4 | 6;
}

const v4 = (bytes: readonly number[]): Sample => ({
  text: bytes.join('.'),
  bits: V4_PREFIX + bitsOfBytes(bytes),
  family: 4,
});
const mapped = (bytes: readonly number[]): Sample => ({
  text: `::ffff:${bytes.join('.')}`,
  bits: V4_PREFIX + bitsOfBytes(bytes),
  family: 4,
});
const v6 = (bytes: readonly number[], compress: boolean): Sample => {
  const groups = Array.from({ length: 8 }, (_, at) => (bytes[2 * at]! * 256 + bytes[2 * at + 1]!).toString(16));
  const text = groups.join(':');
  const bits = bitsOfBytes(bytes);
  return {
    text: compress ? text.replace(/(?:^|:)0(?::0)+(?::|$)/, '::') : text,
    bits,
    family: bits.startsWith(V4_PREFIX) ? 4 : 6,
  };
};

const byte = fc.oneof(fc.nat(255), fc.constantFrom(0, 10, 127, 128, 255));
const fourBytes = fc.array(byte, { minLength: 4, maxLength: 4 });
const sixteenBytes = fc.array(byte, { minLength: 16, maxLength: 16 });
const address = fc.oneof(
  fourBytes.map(v4),
  fourBytes.map(mapped),
  fc.tuple(sixteenBytes, fc.boolean()).map(([bytes, compress]) => v6(bytes, compress)),
);
/** A range with as many bits as its way of writing has, and the same counted over 128. */
const range = fc
  .tuple(address, fc.nat(128))
  .map(([base, wanted]) => {
    const written = base.text.includes(':') ? 128 : 32;
    const bits = wanted % (written + 1);
    return { text: `${base.text}/${bits}`, bits: base.bits, length: bits + (128 - written), family: base.family, base };
  })
  // A mapped address with less than the whole mapping prefix is a range of IPv6, which holds no IPv4.
  .map((made) => (made.length < 96 ? { ...made, family: 6 as const } : made));
/** An address near the range: its own base with one bit turned. */
const near = fc.tuple(range, fc.nat(127)).map(([around, turned]) => {
  const bits = [...around.bits];
  bits[turned] = bits[turned] === '0' ? '1' : '0';
  const all = bits.join('');
  const bytes = Array.from({ length: 16 }, (_, at) => Number.parseInt(all.slice(at * 8, at * 8 + 8), 2));
  return { around, inside: all.startsWith(V4_PREFIX) ? v4(bytes.slice(12)) : v6(bytes, turned % 2 === 0) };
});

const referenceHolds = (around: { bits: string; length: number; family: 4 | 6 }, one: Sample) =>
  around.family === one.family && around.bits.slice(0, around.length) === one.bits.slice(0, around.length);

describe('whether a range holds an address', () => {
  it('is what the reference says, for addresses anywhere and one bit away', () => {
    fc.assert(
      fc.property(range, address, (around, one) => {
        expect(rangeHolds(parseIpRange(around.text)!, one.text)).toBe(referenceHolds(around, one));
      }),
      { numRuns: 3_000 },
    );
    fc.assert(
      fc.property(near, ({ around, inside }) => {
        expect(rangeHolds(parseIpRange(around.text)!, inside.text)).toBe(referenceHolds(around, inside));
      }),
      { numRuns: 3_000 },
    );
  });

  it('is what Node’s own list says, within one family', () => {
    const bits = fc.nat(32);
    fc.assert(
      fc.property(fourBytes.map(v4), bits, fourBytes.map(v4), (base, length, one) => {
        const list = new BlockList();
        list.addSubnet(base.text, length, 'ipv4');
        expect(rangeHolds(parseIpRange(`${base.text}/${length}`)!, one.text)).toBe(list.check(one.text, 'ipv4'));
      }),
    );
  });

  it('is no for whatever is no address', () => {
    const all = [parseIpRange('0.0.0.0/0')!, parseIpRange('::/0')!];
    const octal = fc.constantFrom('1', '127.1', '0x7f.0.0.1', '010.1.2.3', '1.2.3.4, 10.1.2.3', '10.1.2.3:80', '');
    fc.assert(fc.property(octal, (text) => !all.some((range_) => rangeHolds(range_, text))));
  });
});

describe('whether a range contains another', () => {
  it('is yes exactly when it holds the first and the last address of it', () => {
    fc.assert(
      fc.property(range, range, (outer, inner) => {
        const inside = outer.family === inner.family && outer.length <= inner.length;
        const expected = inside && outer.bits.slice(0, outer.length) === inner.bits.slice(0, outer.length);
        expect(rangeContains(parseIpRange(outer.text)!, parseIpRange(inner.text)!)).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never lets a contained range hold an address that the outer does not', () => {
    fc.assert(
      fc.property(range, range, near, (outer, inner, { inside }) => {
        const [a, b] = [parseIpRange(outer.text)!, parseIpRange(inner.text)!];
        return !rangeContains(a, b) || !rangeHolds(b, inside.text) || rangeHolds(a, inside.text);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('reading a range', () => {
  it('never throws and never takes a text that only looks like one', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789abcdefx.:/% -') }), (text) => {
        const read = parseIpRange(text);
        if (read === null) return true;
        return read.bits >= 0 && read.bits <= read.address.toByteArray().length * 8 && !/[% x-]/.test(text);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('the regression corpus', () => {
  it.each(corpus.ranges)('$text is read: $valid', ({ text, valid }) => {
    expect(parseIpRange(text) !== null).toBe(valid);
  });

  it.each(corpus.holds)('$range holds $address: $holds', ({ range: text, address: one, holds }) => {
    expect(rangeHolds(parseIpRange(text)!, one)).toBe(holds);
  });

  it.each(corpus.contains)('$outer contains $inner: $contains', ({ outer, inner, contains }) => {
    expect(rangeContains(parseIpRange(outer)!, parseIpRange(inner)!)).toBe(contains);
  });
});
