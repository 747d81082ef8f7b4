import { describe, expect, it } from '@jest/globals';
import { isOriginalServer } from './restore-state.ts';

const INITIALISED = new Date('2026-11-01T12:00:00Z');
const IDENTIFIER = (BigInt(INITIALISED.getTime() / 1_000) << 32n) + 4_711n;
const original = `${IDENTIFIER}/00000001`;
const after = (ms: number) => new Date(INITIALISED.getTime() + ms);

describe('the server that data were made on', () => {
  it('is as old as its data, and was never promoted', () => {
    expect(isOriginalServer(original, after(0))).toBe(true);
    expect(isOriginalServer(original, after(86_400_000))).toBe(true);
  });

  it('is not one that was restored to an instant or promoted, which begins a timeline', () => {
    expect(isOriginalServer(`${IDENTIFIER}/00000002`, after(86_400_000))).toBe(false);
  });

  it('is not one that was initialised after its data were made, as for a dump that is read into a new server', () => {
    expect(isOriginalServer(original, after(-1))).toBe(false);
  });
});
