import { createHash } from 'node:crypto';
import type { EngineRow } from '../stores/engine-store.ts';

const HASH_RANGE = 2 ** 48;

/** An engine holds or does more than another only beyond this: measurements are half a minute old. */
const MORE_THAN = 1.2;
const BYTES_ALIKE = 64 * 1_048_576;
const TRANSACTIONS_ALIKE = 20;

type Candidate = Pick<EngineRow, 'engine_id' | 'weight'> &
  Partial<Pick<EngineRow, 'bytes' | 'transactions_per_second'>>;

/**
 * The engine a new memory goes to: the less loaded of two candidates (Mitzenmacher 2001), which weighted rendezvous
 * hashing draws (Thaler and Ravishankar 1998, in the logarithmic form for weights). Among engines that are alike, or were
 * not measured yet, each gets its weight's share.
 */
export function chooseEngine(memoryId: string, engines: readonly Candidate[]): string | null {
  const drawn = engines
    .map((engine) => ({ engine, score: scoreOf(memoryId, engine) }))
    .sort((a, b) => b.score - a.score)
    .map(({ engine }) => engine);
  const [first, second] = drawn;
  if (first === undefined) return null;
  return second !== undefined && isMoreLoaded(first, second) ? second.engine_id : first.engine_id;
}

function scoreOf(memoryId: string, { engine_id: engineId, weight }: Candidate): number {
  const hash = createHash('sha256').update(`${memoryId} ${engineId}`).digest().readUIntBE(0, 6);
  return -weight / Math.log((hash + 1) / (HASH_RANGE + 1));
}

/** By what it holds for its weight; among those that hold alike, by what it does. */
function isMoreLoaded(engine: Candidate, than: Candidate): boolean {
  const compare = (of: (candidate: Candidate) => number | null | undefined, alike: number) => {
    const [a, b] = [of(engine), of(than)];
    if (a === null || a === undefined || b === null || b === undefined) return 0;
    const [mine, other] = [a / engine.weight, b / than.weight];
    if (mine > other * MORE_THAN + alike) return 1;
    return other > mine * MORE_THAN + alike ? -1 : 0;
  };
  const held = compare((candidate) => candidate.bytes, BYTES_ALIKE);
  return held !== 0 ? held > 0 : compare((candidate) => candidate.transactions_per_second, TRANSACTIONS_ALIKE) > 0;
}
