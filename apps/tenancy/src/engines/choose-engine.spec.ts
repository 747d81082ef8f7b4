import { describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { chooseEngine } from './choose-engine.ts';

const MEMORIES = Array.from({ length: 8_000 }, () => newId('memory'));
const sharesOf = (engines: { engine_id: string; weight: number }[]) => {
  const counts = new Map<string, number>();
  for (const memory of MEMORIES) {
    const engine = chooseEngine(memory, engines)!;
    counts.set(engine, (counts.get(engine) ?? 0) + 1 / MEMORIES.length);
  }
  return counts;
};

describe('the engine of a new memory', () => {
  it('is chosen in proportion to the weights', () => {
    const shares = sharesOf([
      { engine_id: 'a', weight: 1 },
      { engine_id: 'b', weight: 3 },
      { engine_id: 'c', weight: 4 },
    ]);
    expect(shares.get('a')).toBeCloseTo(0.125, 1);
    expect(shares.get('b')).toBeCloseTo(0.375, 1);
    expect(shares.get('c')).toBeCloseTo(0.5, 1);
  });

  it('is another only for those that a new engine takes', () => {
    const two = [
      { engine_id: 'a', weight: 1 },
      { engine_id: 'b', weight: 1 },
    ];
    const three = [...two, { engine_id: 'c', weight: 1 }];
    for (const memory of MEMORIES.slice(0, 500)) {
      const after = chooseEngine(memory, three);
      expect([chooseEngine(memory, two), 'c']).toContain(after);
    }
  });

  it('is the less loaded of two, for its weight', () => {
    const engines = [
      { engine_id: 'a', weight: 1, bytes: 1e10, transactions_per_second: 10 },
      { engine_id: 'b', weight: 1, bytes: 2e9, transactions_per_second: 900 },
      { engine_id: 'c', weight: 5, bytes: 1e10, transactions_per_second: 10 },
    ];
    const shares = sharesOf(engines);
    // Never, as one of the others is always drawn beside it; and c before b, as c does less.
    expect(shares.get('a') ?? 0).toBe(0);
    expect(shares.get('c')).toBeGreaterThan(0.8);
  });

  it('is none when there is none', () => expect(chooseEngine('mem_1', [])).toBeNull());
});
