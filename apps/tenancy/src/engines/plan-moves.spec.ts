import { describe, expect, it } from '@jest/globals';
import { planMoves, type SpreadEngine, type SpreadMemory } from './plan-moves.ts';

/** Sizes as they are found: most memories are small, a few are large. */
function memoriesOn(engineIds: string[], count: number): SpreadMemory[] {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: count }, (_unused, n) => ({
    memoryId: `mem_${n}`,
    engineId: engineIds[Math.floor(random() * engineIds.length)]!,
    bytes: Math.floor(1_000_000 * Math.exp(3 * random())),
  }));
}

function after(engines: SpreadEngine[], memories: SpreadMemory[]): Map<string, number> {
  const moved = new Map(planMoves(engines, memories).map((move) => [move.memoryId, move.toEngineId]));
  const held = new Map(engines.map((engine) => [engine.engineId, 0]));
  for (const { memoryId, engineId, bytes } of memories) {
    const place = moved.get(memoryId) ?? engineId;
    held.set(place, held.get(place)! + bytes);
  }
  return held;
}

const engine = (engineId: string, takes = true, weight = 1) => ({ engineId, weight, takes });

describe('the moves that are planned', () => {
  it('empty a draining engine, and leave the others within a fifth of each other', () => {
    const memories = memoriesOn(['a', 'b', 'c', 'd'], 100);
    const held = after([engine('a', false), engine('b'), engine('c'), engine('d')], memories);
    expect(held.get('a')).toBe(0);
    const sizes = ['b', 'c', 'd'].map((id) => held.get(id)!);
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.2);
  });

  it('fill an engine that was added, in proportion to the weights, and then none', () => {
    const engines = [engine('a'), engine('b'), engine('c', true, 2)];
    const memories = memoriesOn(['a', 'b'], 100);
    const held = after(engines, memories);
    const fills = [held.get('a')!, held.get('b')!, held.get('c')! / 2];
    expect(Math.max(...fills) / Math.min(...fills)).toBeLessThan(1.2);
    const moved = new Map(planMoves(engines, memories).map((move) => [move.memoryId, move.toEngineId]));
    const settled = memories.map((memory) => ({ ...memory, engineId: moved.get(memory.memoryId) ?? memory.engineId }));
    expect(planMoves(engines, settled)).toEqual([]);
  });

  it('are none without an engine that takes memories', () =>
    expect(planMoves([engine('a', false)], memoriesOn(['a'], 3))).toEqual([]));
});
