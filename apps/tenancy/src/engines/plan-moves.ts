/** An engine among which memories are spread. */
export interface SpreadEngine {
  engineId: string;
  weight: number;
  /** False for one that is to be emptied. */
  takes: boolean;
}

export interface SpreadMemory {
  memoryId: string;
  engineId: string;
  bytes: number;
  /** It counts, and cannot be moved. */
  stays?: boolean;
}

export interface PlannedMove {
  memoryId: string;
  fromEngineId: string;
  toEngineId: string;
}

/** What an empty memory counts, so that many small ones are spread as well. */
const MEMORY_BYTES_MIN = 65_536;
/** Engines that differ by less than this share of their mean hold alike. */
const ALIKE_WITHIN = 0.1;
const MOVES_MAX = 10_000;

/**
 * Which memories to move so that the engines hold alike, in proportion to their weights. Engines that take none are
 * emptied: their memories go, the largest first, where least is. Otherwise the fullest engine gives to the emptiest as
 * long as that makes them more alike.
 */
export function planMoves(engines: readonly SpreadEngine[], memories: readonly SpreadMemory[]): PlannedMove[] {
  const places = new Map(
    engines.map((engine) => [engine.engineId, { ...engine, held: [] as SpreadMemory[], bytes: 0 }]),
  );
  for (const memory of memories) {
    const place = places.get(memory.engineId);
    if (place === undefined) continue;
    const counted = { ...memory, bytes: Math.max(memory.bytes, MEMORY_BYTES_MIN) };
    place.held.push(counted);
    place.bytes += counted.bytes;
  }
  const all = [...places.values()];
  const taking = all.filter((place) => place.takes);
  if (taking.length === 0) return [];
  const moves: PlannedMove[] = [];
  const move = (memory: SpreadMemory, from: Place, to: Place) => {
    from.held.splice(from.held.indexOf(memory), 1);
    to.held.push(memory);
    from.bytes -= memory.bytes;
    to.bytes += memory.bytes;
    moves.push({ memoryId: memory.memoryId, fromEngineId: from.engineId, toEngineId: to.engineId });
  };
  for (const place of all.filter(({ takes }) => !takes))
    for (const memory of place.held.filter(isMovable).sort((a, b) => b.bytes - a.bytes))
      move(memory, place, emptiest(taking, memory.bytes));
  // What is emptied is spread over what the others have; that is not moved around as well.
  if (all.length === taking.length) balance(taking, move);
  return moves;
}

const isMovable = ({ stays }: SpreadMemory) => stays !== true;

type Place = SpreadEngine & { held: SpreadMemory[]; bytes: number };

function emptiest(places: readonly Place[], more: number): Place {
  return places.reduce((best, place) =>
    (place.bytes + more) / place.weight < (best.bytes + more) / best.weight ? place : best,
  );
}

const fillOf = (place: Place) => place.bytes / place.weight;

function balance(places: readonly Place[], move: (memory: SpreadMemory, from: Place, to: Place) => void): void {
  for (let made = 0; made < MOVES_MAX; made += 1) {
    const byFill = [...places].sort((a, b) => fillOf(a) - fillOf(b));
    const [to, from] = [byFill[0]!, byFill.at(-1)!];
    const mean =
      places.reduce((sum, place) => sum + place.bytes, 0) / places.reduce((sum, place) => sum + place.weight, 0);
    if (fillOf(from) - fillOf(to) <= mean * ALIKE_WITHIN) return;
    // As much as would make the two alike, or the most below that.
    const wanted = (from.bytes * to.weight - to.bytes * from.weight) / (from.weight + to.weight);
    const fitting = from.held
      .filter((memory) => isMovable(memory) && memory.bytes <= wanted)
      .sort((a, b) => b.bytes - a.bytes)[0];
    if (fitting === undefined) return;
    move(fitting, from, to);
  }
}
