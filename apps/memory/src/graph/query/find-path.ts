/** The graph as a search for a path sees it. */
export interface PathGraph {
  /** Entities one link away from the frontier that are not among those seen, `room` of them at most. */
  neighbours(frontier: readonly string[], seen: readonly string[], room: number): Promise<readonly string[]>;
  /** Weights of the links between entities of the one and of the other set, the weightiest first; some of each one's. */
  weights(ones: readonly string[], others: readonly string[]): Promise<readonly WeightedPair[]>;
}

export interface WeightedPair {
  one: string;
  other: string;
  weight: number;
}

interface FoundPath {
  /** From the source to the target, both included; empty when none was found. */
  entities: string[];
  /** Not everything could be looked at. */
  truncated: boolean;
}

/** Entities of one step that stay in consideration when the path is traced back. */
const CANDIDATES_MAX = 200;

/** One end of the search: what lies one link further with each level. */
interface End {
  levels: string[][];
  seen: Set<string>;
}

/**
 * A shortest path, by breadth-first search from both ends in turns, the smaller frontier first (Pohl, 1971). Of the
 * shortest ones it is one whose weakest step has the most weight, as far as the weightiest candidates of each level
 * tell; ties go by id.
 */
export async function findPath(
  graph: PathGraph,
  { source, target, maxHops, entitiesMax }: { source: string; target: string; maxHops: number; entitiesMax: number },
): Promise<FoundPath> {
  if (source === target) return { entities: [source], truncated: false };
  const ends: readonly [End, End] = [endAt(source), endAt(target)];
  let truncated = false;
  for (let hop = 1; hop <= maxHops && !truncated; hop += 1) {
    const [from, to] = ends[0].levels.at(-1)!.length <= ends[1].levels.at(-1)!.length ? ends : [ends[1], ends[0]];
    const room = entitiesMax - from.seen.size - to.seen.size;
    const reached = await graph.neighbours(from.levels.at(-1)!, [...from.seen], room + 1);
    truncated = reached.length > room;
    const level = reached.slice(0, Math.max(room, 0));
    // Nothing further is connected to this end.
    if (level.length === 0) return { entities: [], truncated };
    from.levels.push(level);
    for (const entityId of level) from.seen.add(entityId);
    const meeting = level.filter((entityId) => to.seen.has(entityId));
    if (meeting.length > 0) return { entities: await trace(graph, ends, meeting), truncated };
  }
  return { entities: [], truncated };
}

function endAt(entityId: string): End {
  return { levels: [[entityId]], seen: new Set([entityId]) };
}

/** The strongest of the paths through the entities at which the two ends met. */
async function trace(graph: PathGraph, [source, target]: readonly [End, End], meeting: string[]): Promise<string[]> {
  const before = await strongest(graph, source, meeting);
  // Through entities alone that were not left out on the one side.
  const after = await strongest(
    graph,
    target,
    meeting.filter((entityId) => before.has(entityId)),
  );
  const strengthOf = (entityId: string) => Math.min(before.get(entityId)!.strength, after.get(entityId)!.strength);
  const middle = [...after.keys()].toSorted((a, b) => strengthOf(b) - strengthOf(a) || (a < b ? -1 : 1))[0]!;
  return [...before.get(middle)!.way.toReversed(), middle, ...after.get(middle)!.way];
}

interface Way {
  /** The weight of its weakest step. */
  strength: number;
  /** The entities after the one at which it begins, to the end of the search. */
  way: string[];
}

/** For each of the entities, which are of the end's deepest level, its strongest way back to the end, level by level. */
async function strongest(graph: PathGraph, end: End, from: readonly string[]): Promise<Map<string, Way>> {
  const steps: (readonly WeightedPair[])[] = [];
  let candidates: readonly string[] = from.slice(0, CANDIDATES_MAX);
  for (let level = end.levels.length - 1; level > 0; level -= 1) {
    const pairs = await graph.weights(candidates, end.levels[level - 1]!);
    steps.push(pairs);
    candidates = [...new Set(pairs.map(({ other }) => other))].slice(0, CANDIDATES_MAX);
  }
  let ways = new Map<string, Way>(end.levels[0]!.map((entityId) => [entityId, { strength: Infinity, way: [] }]));
  for (const pairs of steps.toReversed()) {
    const further = new Map<string, Way>();
    for (const { one, other, weight } of pairs) {
      const rest = ways.get(other);
      if (rest === undefined) continue;
      const strength = Math.min(weight, rest.strength);
      const known = further.get(one);
      const isBetter =
        strength > (known?.strength ?? -Infinity) || (strength === known?.strength && other < known.way[0]!);
      if (isBetter) further.set(one, { strength, way: [other, ...rest.way] });
    }
    ways = further;
  }
  return ways;
}
