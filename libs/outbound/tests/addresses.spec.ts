import { describe, expect, it } from '@jest/globals';
import { mayConnect } from '../src/index.ts';
import { METADATA_ADDRESSES, PUBLIC_ADDRESSES, REFUSED_ADDRESSES } from './refused-addresses.ts';

const STRICT = { allowPrivateNetwork: false };
const DEVELOPMENT = { allowPrivateNetwork: true };
const TABLE = Object.entries(REFUSED_ADDRESSES).flatMap(([why, addresses]) =>
  addresses.map((address) => [why, address] as const),
);

describe('an address', () => {
  it.each(TABLE)('that is %s is refused: %s', (_why, address) => {
    expect(mayConnect(STRICT, address)).toBe(false);
  });

  it.each(PUBLIC_ADDRESSES)('of the public Internet is permitted: %s', (address) => {
    expect(mayConnect(STRICT, address)).toBe(true);
    expect(mayConnect(DEVELOPMENT, address)).toBe(true);
  });

  it.each(['', 'example.org', '1', '0x7f.1', '127.1', '1.2.3.4.5', '[::1]', '1.1.1.1 '])(
    'is permitted only in its plain form, so not as %j',
    (text) => {
      expect(mayConnect(STRICT, text)).toBe(false);
      expect(mayConnect(DEVELOPMENT, text)).toBe(false);
    },
  );

  it('of a private network is permitted in development', () => {
    for (const address of ['127.0.0.1', '::1', '10.0.0.1', '172.16.0.1', '192.168.0.1', 'fc00::1', '100.64.0.1'])
      expect([address, mayConnect(DEVELOPMENT, address)]).toEqual([address, true]);
  });

  it.each(METADATA_ADDRESSES)('of a metadata service is refused in development too: %s', (address) => {
    expect(mayConnect(DEVELOPMENT, address)).toBe(false);
  });

  it.each(METADATA_ADDRESSES.filter((address) => address.includes('.')))(
    'of a metadata service is refused in every IPv6 form that carries it: %s',
    (address) => {
      const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
      const high = (a * 256 + b).toString(16);
      const low = (c * 256 + d).toString(16);
      const forms = [
        `::ffff:${address}`,
        `::ffff:${high}:${low}`,
        `::${address}`,
        `::ffff:0:${address}`,
        `64:ff9b::${address}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::`,
        `2001:0:${high}:${low}::`,
      ];
      for (const form of forms) {
        expect([form, mayConnect(STRICT, form)]).toEqual([form, false]);
        expect([form, mayConnect(DEVELOPMENT, form)]).toEqual([form, false]);
      }
    },
  );

  it('next to a metadata service is still permitted in development', () => {
    for (const address of ['100.100.100.201', 'fd01::254', 'fd00:ec3::254', '10.0.0.192'])
      expect([address, mayConnect(DEVELOPMENT, address)]).toEqual([address, true]);
  });

  it('that carries another address, or none at all, is refused in development too', () => {
    for (const address of [
      'fe80::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '0.0.0.0',
      '::',
      '255.255.255.255',
      '224.0.0.1',
    ])
      expect([address, mayConnect(DEVELOPMENT, address)]).toEqual([address, false]);
  });
});
