import { createHash } from 'node:crypto';
import type { EngineRow } from '../stores/engine-store.ts';

const HASH_RANGE = 2 ** 48;

/**
 * The engine a new memory goes to: weighted rendezvous hashing (Thaler and Ravishankar 1998, in the logarithmic form
 * for weights). Each engine gets its weight's share without anybody counting, and adding one moves nothing.
 */
export function chooseEngine(
  memoryId: string,
  engines: readonly Pick<EngineRow, 'engine_id' | 'weight'>[],
): string | null {
  let best: string | null = null;
  let bestScore = -Infinity;
  for (const { engine_id: engineId, weight } of engines) {
    const hash = createHash('sha256').update(`${memoryId} ${engineId}`).digest().readUIntBE(0, 6);
    const score = -weight / Math.log((hash + 1) / (HASH_RANGE + 1));
    if (score > bestScore) {
      best = engineId;
      bestScore = score;
    }
  }
  return best;
}
