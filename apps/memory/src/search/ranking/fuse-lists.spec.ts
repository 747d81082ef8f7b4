import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fusedScores } from './fuse-lists.ts';

const hit = (chunkId: string, score: number) => ({ chunkId, docId: `doc-${chunkId}`, score });
const orderOf = (fused: ReturnType<typeof fusedScores>) =>
  [...fused].sort((a, b) => b[1].score - a[1].score).map(([chunkId]) => chunkId);

describe('joining the list of the index and the list by meaning', () => {
  it('leaves the scores of the index as they are without a list by meaning', () => {
    expect([...fusedScores([hit('a', 7), hit('b', 3)], [])]).toEqual([
      ['a', { docId: 'doc-a', score: 7, words: 7 }],
      ['b', { docId: 'doc-b', score: 3, words: 3 }],
    ]);
  });

  it('puts what both lists have first, and keeps the scale of the index', () => {
    const fused = fusedScores([hit('a', 8), hit('b', 7.5)], [hit('b', 0.8), hit('c', 0.7), hit('d', 0.3)]);
    expect(orderOf(fused)).toEqual(['b', 'a', 'c', 'd']);
    expect(fused.get('b')!.score).toBeCloseTo(8);
  });

  it('does not let a model that finds everything near bury the words', () => {
    const near = [hit('x', 0.91), hit('y', 0.905), hit('z', 0.9)];
    expect(orderOf(fusedScores([hit('a', 9), hit('b', 8)], near)).slice(0, 2)).toEqual(['a', 'b']);
  });

  it('has an order where the index found nothing', () => {
    expect(orderOf(fusedScores([], [hit('x', 0.6), hit('y', 0.2)]))).toEqual(['x', 'y']);
  });

  it('gives every chunk of either list one finite score, none above the best of the index', () => {
    const list = fc
      .uniqueArray(fc.tuple(fc.nat({ max: 20 }), fc.double({ min: 0.01, max: 50, noNaN: true })), {
        selector: ([id]) => id,
        minLength: 1,
      })
      .map((items) => items.map(([id, score]) => hit(String(id), score)).sort((a, b) => b.score - a.score));
    fc.assert(
      fc.property(list, list, (hits, near) => {
        const fused = fusedScores(hits, near);
        expect(new Set(fused.keys())).toEqual(new Set([...hits, ...near].map(({ chunkId }) => chunkId)));
        for (const { score } of fused.values()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(hits[0]!.score * 1.000001);
        }
      }),
    );
  });
});
