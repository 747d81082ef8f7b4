import { timeSlice } from '@cairn/background';

/** Bounds of the columns' types: a graph beyond them is not kept. */
const NUMBERED_MAX = 65_535;
const WEIGHT_MAX = 2 ** 32 - 1;
/** Entity of a name that no document has any more. */
export const GONE = -1;

const LINK_BYTES = 24;
/** A name with its entity: columns, two map entries, the entity's id. Twice what 200,000 names with short ids took. */
const NAME_BYTES = 200;
const OVERHEAD_BYTES = 16_384;

/** The graph does not fit what is kept of one. */
export class GraphTooLarge extends Error {}

/**
 * Numbers of names, entities, types and vaults. They only grow, so that all states of one memory's adjacency share
 * them: an older state knows none of the later numbers.
 */
export class Numbers {
  readonly names = new Map<number, number>();
  readonly entities = new Map<string, number>();
  readonly entityIds: string[] = [];
  readonly types: string[] = [];
  readonly vaults: string[] = [];

  nameOf(nameNo: number): number {
    return numberIn(this.names, nameNo);
  }

  entityOf(entityId: string): number {
    const number = numberIn(this.entities, entityId);
    if (number === this.entityIds.length) this.entityIds.push(entityId);
    return number;
  }

  typeOf(type: string): number {
    return placeIn(this.types, type);
  }

  vaultOf(vaultId: string): number {
    return placeIn(this.vaults, vaultId);
  }
}

function numberIn<Key>(numbers: Map<Key, number>, key: Key): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

function placeIn(values: string[], value: string): number {
  const known = values.indexOf(value);
  if (known >= 0) return known;
  if (values.length > NUMBERED_MAX) throw new GraphTooLarge('too many types or vaults');
  return values.push(value) - 1;
}

export interface NameMetrics {
  name_no: number;
  entity_id: string;
  centrality: number;
  community_id: number;
}

/** Links in columns; source and target are numbers of names. */
export interface LinkColumns {
  source: Uint32Array;
  target: Uint32Array;
  type: Uint16Array;
  vault: Uint16Array;
  /** In hundredths. */
  weight: Uint32Array;
}

/** The names and links of a memory in one state. Never changes: a later state is another object. */
export interface Adjacency {
  numbers: Numbers;
  /** Of each name: entity, or `GONE`; centrality; community. */
  entityOf: Int32Array;
  centrality: Float64Array;
  community: Int32Array;
  links: LinkColumns;
  /** The links of name n, as source or as target, are `incident[starts[n]]` to before `incident[starts[n + 1]]`. */
  starts: Uint32Array;
  incident: Uint32Array;
  /** The names of entity e are `names[nameStarts[e]]` to before `names[nameStarts[e + 1]]`. */
  nameStarts: Uint32Array;
  names: Uint32Array;
}

export function emptyLinks(count: number): LinkColumns {
  return {
    source: new Uint32Array(count),
    target: new Uint32Array(count),
    type: new Uint16Array(count),
    vault: new Uint16Array(count),
    weight: new Uint32Array(count),
  };
}

export function checkedWeight(weight: number): number {
  if (weight < 0 || weight > WEIGHT_MAX) throw new GraphTooLarge('a weight is out of range');
  return weight;
}

export function bytesOf(names: number, links: number): number {
  return OVERHEAD_BYTES + names * NAME_BYTES + links * LINK_BYTES;
}

export function adjacencyBytes({ numbers, links }: Adjacency): number {
  return bytesOf(numbers.names.size, links.source.length);
}

/** The adjacency of names and of parts of links. */
export async function buildAdjacency(
  numbers: Numbers,
  names: readonly NameMetrics[],
  parts: readonly LinkColumns[],
): Promise<Adjacency> {
  const links = emptyLinks(parts.reduce((sum, part) => sum + part.source.length, 0));
  let at = 0;
  for (const part of parts) {
    copyAll(part, links, at);
    at += part.source.length;
  }
  const empty = { entityOf: new Int32Array(0), centrality: new Float64Array(0), community: new Int32Array(0) };
  return indexed(numbers, withMetrics(numbers, empty, new Set(), names), links);
}

/** What changed between two states: every name that was touched, those of them that are left, and the links among them. */
export interface AdjacencyChange {
  touched: readonly number[];
  names: readonly NameMetrics[];
  links: readonly LinkColumns[];
}

/** A later state. A link that changed has touched names at both ends, so that the links of others are as they were. */
export async function changedAdjacency(before: Adjacency, change: AdjacencyChange): Promise<Adjacency> {
  const { numbers } = before;
  const touched = new Set(change.touched.flatMap((nameNo) => numbers.names.get(nameNo) ?? []));
  const metrics = withMetrics(numbers, before, touched, change.names);
  const isTouched = new Uint8Array(numbers.names.size);
  for (const name of touched) isTouched[name] = 1;
  const { source, target } = before.links;
  const kept = new Uint32Array(source.length);
  let remainingCount = 0;
  await inBlocks(source.length, (from, to) => {
    for (let link = from; link < to; link += 1)
      if (isTouched[source[link]!] === 0 || isTouched[target[link]!] === 0) kept[remainingCount++] = link;
  });
  const fresh = change.links.reduce((sum, part) => sum + part.source.length, 0);
  const links = emptyLinks(remainingCount + fresh);
  await inBlocks(remainingCount, (from, to) => {
    for (let at = from; at < to; at += 1) copyOne(before.links, kept[at]!, links, at);
  });
  let at = remainingCount;
  for (const part of change.links) {
    copyAll(part, links, at);
    at += part.source.length;
  }
  return indexed(numbers, metrics, links);
}

type EntityMetrics = Pick<Adjacency, 'entityOf' | 'centrality' | 'community'>;

function withMetrics(
  numbers: Numbers,
  before: EntityMetrics,
  touched: ReadonlySet<number>,
  names: readonly NameMetrics[],
): EntityMetrics {
  const rows = names.map((row) => ({ ...row, name: numbers.nameOf(row.name_no) }));
  const entityOf = new Int32Array(numbers.names.size).fill(GONE);
  const centrality = new Float64Array(entityOf.length);
  const community = new Int32Array(entityOf.length);
  entityOf.set(before.entityOf);
  centrality.set(before.centrality);
  community.set(before.community);
  for (const name of touched) entityOf[name] = GONE;
  for (const { name, entity_id, ...own } of rows) {
    entityOf[name] = numbers.entityOf(entity_id);
    centrality[name] = own.centrality;
    community[name] = own.community_id;
  }
  return { entityOf, centrality, community };
}

async function indexed(numbers: Numbers, metrics: EntityMetrics, links: LinkColumns): Promise<Adjacency> {
  const { entityOf } = metrics;
  const { source, target } = links;
  const starts = new Uint32Array(entityOf.length + 1);
  await inBlocks(source.length, (from, to) => {
    for (let link = from; link < to; link += 1) {
      starts[source[link]! + 1]! += 1;
      starts[target[link]! + 1]! += 1;
    }
  });
  const next = cumulated(starts);
  const incident = new Uint32Array(2 * source.length);
  await inBlocks(source.length, (from, to) => {
    for (let link = from; link < to; link += 1) {
      incident[next[source[link]!]!++] = link;
      incident[next[target[link]!]!++] = link;
    }
  });
  const nameStarts = new Uint32Array(numbers.entityIds.length + 1);
  for (const entity of entityOf) if (entity !== GONE) nameStarts[entity + 1]! += 1;
  const nextName = cumulated(nameStarts);
  const names = new Uint32Array(nameStarts.at(-1)!);
  for (const [name, entity] of entityOf.entries()) if (entity !== GONE) names[nextName[entity]!++] = name;
  return { numbers, ...metrics, links, starts, incident, nameStarts, names };
}

/** Sums counts up in place, so that each says where its own begin, and returns a copy to count on. */
function cumulated(starts: Uint32Array): Uint32Array {
  for (let at = 1; at < starts.length; at += 1) starts[at]! += starts[at - 1]!;
  return starts.slice();
}

function copyAll(from: LinkColumns, to: LinkColumns, at: number): void {
  to.source.set(from.source, at);
  to.target.set(from.target, at);
  to.type.set(from.type, at);
  to.vault.set(from.vault, at);
  to.weight.set(from.weight, at);
}

function copyOne(from: LinkColumns, link: number, to: LinkColumns, at: number): void {
  to.source[at] = from.source[link]!;
  to.target[at] = from.target[link]!;
  to.type[at] = from.type[link]!;
  to.vault[at] = from.vault[link]!;
  to.weight[at] = from.weight[link]!;
}

const BLOCK = 16_384;

/** Goes over a million links without keeping others from the event loop. */
async function inBlocks(count: number, work: (from: number, to: number) => void): Promise<void> {
  const slice = timeSlice();
  for (let from = 0; from < count; from += BLOCK) {
    work(from, Math.min(count, from + BLOCK));
    if (slice.isOver) await slice.yieldToEventLoop();
  }
}
