import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { freeSlug, memoryLabel, slugOf } from './slug.ts';

/** RFC 1123: 1 to 63 letters, digits and hyphens, no hyphen at either end. */
const DNS_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

describe('slugOf', () => {
  it.each([
    ['Research Team', 'research-team'],
    ['  R&D -- 2026!  ', 'r-d-2026'],
    ['Größe Café', 'gro-e-cafe'],
    ['ﬁnance', 'finance'],
    ['日本語', 'fallback'],
    ['Отдел', 'fallback'],
    ['🙂', 'fallback'],
    ['---', 'fallback'],
    ['xn--abc', 'xn-abc'],
    ['a'.repeat(100), 'a'.repeat(40)],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
    ['Team 日本', 'team'],
  ])('writes %j as %j', (name, slug) => {
    expect(slugOf(name, 'fallback')).toBe(slug);
  });
});

describe('freeSlug', () => {
  it('is the slug itself, or the first with a number that is not taken', () => {
    expect(freeSlug('a', new Set())).toBe('a');
    expect(freeSlug('a', new Set(['a', 'a-2', 'a-4']))).toBe('a-3');
  });
});

describe('memoryLabel', () => {
  it('is a DNS label for any name, and no encoded one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        const label = memoryLabel(name);
        return DNS_LABEL.test(label) && !label.startsWith('xn--');
      }),
      { numRuns: 500 },
    );
  });

  it('differs for the same name, so that it cannot be guessed', () => {
    const labels = new Set(Array.from({ length: 2_000 }, () => memoryLabel('Handbook')));
    expect(labels.size).toBe(2_000);
    expect([...labels].every((label) => /^handbook-[0-9a-z]{8}$/.test(label))).toBe(true);
  });
});
