import { describe, expect, it } from '@jest/globals';
import { natsTooOld } from './nats-version.ts';

describe('the version of a nats-server', () => {
  it.each(['2.10.0', '2.12.1', '3.0.0', '2.10.0-beta.1', ''])('%j is accepted', (version) => {
    expect(natsTooOld(version)).toBeNull();
  });

  it.each(['2.9.25', '1.4.1'])('%s is refused, with both versions in the message', (version) => {
    expect(natsTooOld(version)).toBe(`NATS 2.10 or later is needed; this server is ${version}.`);
  });
});
