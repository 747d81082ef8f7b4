import { describe, expect, it } from '@jest/globals';
import { mayDial } from '../src/index.ts';
import { PUBLIC_ADDRESSES, REFUSED_ADDRESSES } from './refused-addresses.ts';

const STRICT = { allowPrivateNetwork: false };
const DEVELOPMENT = { allowPrivateNetwork: true };
const TABLE = Object.entries(REFUSED_ADDRESSES).flatMap(([why, addresses]) =>
  addresses.map((address) => [why, address] as const),
);

describe('an address', () => {
  it.each(TABLE)('that is %s is not dialled: %s', (_why, address) => {
    expect(mayDial(STRICT, address)).toBe(false);
  });

  it.each(PUBLIC_ADDRESSES)('of the public Internet is dialled: %s', (address) => {
    expect(mayDial(STRICT, address)).toBe(true);
    expect(mayDial(DEVELOPMENT, address)).toBe(true);
  });

  it.each(['', 'example.org', '1', '0x7f.1', '127.1', '1.2.3.4.5', '[::1]', '1.1.1.1 '])(
    'is dialled only in its plain form, so not as %j',
    (text) => {
      expect(mayDial(STRICT, text)).toBe(false);
      expect(mayDial(DEVELOPMENT, text)).toBe(false);
    },
  );

  it('of a private network is dialled in development', () => {
    for (const address of ['127.0.0.1', '::1', '10.0.0.1', '172.16.0.1', '192.168.0.1', 'fc00::1', '100.64.0.1'])
      expect([address, mayDial(DEVELOPMENT, address)]).toEqual([address, true]);
  });

  it('at which a cloud tells secrets is not dialled in development either, nor one that hides another', () => {
    for (const address of [
      '169.254.169.254',
      '169.254.170.2',
      '168.63.129.16',
      'fe80::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '0.0.0.0',
      '::',
      '255.255.255.255',
      '224.0.0.1',
    ])
      expect([address, mayDial(DEVELOPMENT, address)]).toEqual([address, false]);
  });
});
