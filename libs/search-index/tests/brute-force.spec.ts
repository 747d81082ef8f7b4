import assert from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import { specCases } from '@cairn/testing';
import fc from 'fast-check';
import { MemorySegments } from './memory-segments.ts';
import { searchByBruteForce } from './reference-index.ts';
import { FIELD_WEIGHTS } from '../src/segment/scoring.ts';
import type { IndexChunk } from '../src/search-index.ts';
import { chunkArbitrary, chunkIdArbitrary, queryArbitrary, wordArbitrary, type SpecQuery } from './spec-arbitraries.ts';

type Step =
  | { add: IndexChunk[] }
  | { remove: string[] }
  | { merge: number[]; meanwhile: string[] }
  | { query: SpecQuery };

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.array(chunkArbitrary, { minLength: 1, maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.array(chunkIdArbitrary, { maxLength: 8 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      merge: fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }),
      meanwhile: fc.array(chunkIdArbitrary, { maxLength: 4 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ query: queryArbitrary }) },
);

const CASES = specCases(700);

async function expectSame(segments: MemorySegments, query: SpecQuery): Promise<void> {
  const hits = await segments.search(query);
  const { languages } = segments.statistics;
  const expected = searchByBruteForce(segments.all, { ...query, languages, weights: segments.weights });
  const answered = hits.map(({ chunkId, score }) => ({ chunkId, score }));
  // Jest's own comparison takes as long as everything else here.
  assert.deepEqual(answered, expected);
}

describe('random steps without a database', () => {
  it('the engine returns the ids and scores of a full scan after any adds, replacements, deletes and merges', async () => {
    let cases = 0;
    const run = async (steps: Step[]) => {
      cases++;
      const segments = new MemorySegments(FIELD_WEIGHTS);
      for (const step of steps) {
        if ('add' in step) segments.add(step.add);
        else if ('remove' in step) segments.remove(step.remove);
        else if ('merge' in step) await segments.merge(step.merge, () => segments.remove(step.meanwhile));
        else await expectSame(segments, step.query);
      }
      await expectSame(segments, { text: 'pump Druck the ERR-4711', limit: 100, filter: undefined });
    };
    await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { minLength: 3, maxLength: 14 }), run), {
      numRuns: CASES,
    });
    expect(cases).toBe(CASES);
  }, 120_000);
});

describe('thousands of chunks', () => {
  // Deterministic and skewed: common words fill blocks and windows, rare ones are single postings.
  const random = mulberry(7);
  const chunks: IndexChunk[] = Array.from({ length: 5_000 }, (_, i) => ({
    chunkId: `chk_${(i * 7919) % 5_000}`,
    docId: `doc_${i % 700}`,
    vaultId: i % 3 === 0 ? 'vlt_a' : 'vlt_b',
    titlePath: i % 5 === 0 ? zipfText(random, 2) : '',
    contextPrefix: '',
    body: zipfText(random, 5 + Math.floor(random() * 40)),
    occurredAtMs: i % 4 === 0 ? null : i,
    createdAtMs: i,
  }));
  const segments = new MemorySegments(FIELD_WEIGHTS);
  for (let at = 0; at < chunks.length; at += 1_250) segments.add(chunks.slice(at, at + 1_250));
  const merged = new MemorySegments(FIELD_WEIGHTS);
  for (let at = 0; at < chunks.length; at += 1_250) merged.add(chunks.slice(at, at + 1_250));
  const rare = fc.integer({ min: 0, max: 400 }).map((rank) => `w${Math.floor(rank ** 1.5 / 20)}`);
  const query: fc.Arbitrary<SpecQuery> = fc.record({
    text: fc.array(fc.oneof(rare, wordArbitrary), { minLength: 1, maxLength: 8 }).map((words) => words.join(' ')),
    limit: fc.constantFrom(1, 10, 100),
    filter: fc.constantFrom(undefined, { vaultIds: ['vlt_a'] }, { occurredAt: { gteMs: 2_000 } }),
  });

  it('a large segment returns the best chunks of a full scan, merged or not, while it skips blocks', async () => {
    await merged.merge([0, 1, 2, 3]);
    merged.remove(chunks.filter((_, i) => i % 11 === 0).map((chunk) => chunk.chunkId));
    expect(merged.count).toBe(1);
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        await expectSame(segments, asked);
        await expectSame(merged, asked);
      }),
      { numRuns: specCases(40) },
    );
  }, 120_000);

  it('a large segment returns the best chunks under weights for which its block maxima were not computed', async () => {
    const other = new MemorySegments({ title: 3.5, context: 0.25, body: 1 }, FIELD_WEIGHTS);
    for (let at = 0; at < 2_500; at += 1_250) other.add(chunks.slice(at, at + 1_250));
    await fc.assert(
      fc.asyncProperty(query, (asked) => expectSame(other, asked)),
      { numRuns: specCases(20) },
    );
    expect(other.count).toBe(2);
  });
});

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function zipfText(random: () => number, length: number): string {
  return Array.from({ length }, () => `w${Math.floor(400 ** random()) - 1}`).join(' ');
}
