import type { GraphHints, GraphSignal } from '../../search/graph-signal.ts';
import { adjacencyOf, pageRank } from '../analysis/page-rank.ts';
import { presentEntities } from '../query/describe-entities.ts';
import { seesAll, visibilityOf } from '../../memories/visibility.ts';
import { openContradictionsIn } from '../contradictions/open-in-chunks.ts';
import { createNeighbourCache, type NeighbourCache } from './neighbour-cache.ts';
import {
  type Mention,
  mentionsOf,
  namesAround,
  type SignalLink,
  type SignalName,
  statedLinks,
} from './neighbourhood.ts';
import { certaintyOf, phrasesOf } from './question-names.ts';

/** What the walk is made of; measured by `npm run eval`. */
interface SignalWeights {
  /** Chance to go on instead of restarting (HippoRAG: 0.5). */
  damping: number;
  /** Share of new starts at passages; the rest is at entities of the question. */
  passageShare: number;
  /** Best passages whose names are looked at. */
  candidates: number;
  /** What a stated link weighs beside a mention, which weighs 1. */
  linkWeight: number;
  /** Chunks that are given back. */
  chunksMax: number;
}

const SIGNAL: Readonly<SignalWeights> = {
  damping: 0.5,
  passageShare: 0.05,
  candidates: 10,
  linkWeight: 1,
  chunksMax: 20,
};

const ITERATIONS_MAX = 20;
const TOLERANCE = 1e-5;
const ENTITIES_SHOWN = 10;
/** Names whose stated links are looked up, and names that the walk knows; each costs a search time. */
const LINKED_MAX = 50;
const NAMES_MAX = 100;

/**
 * Personalised PageRank over entities and passages around the question, as HippoRAG has it (Gutiérrez and others 2024):
 * a walk starts at the question's entities, each weighed by how few passages name it, and at the passages found so far;
 * it goes over mentions and stated links. Only the neighbourhood is read, with every step bounded.
 */
export function createPageRankSignal(
  cache: NeighbourCache = createNeighbourCache(),
  weights: Readonly<SignalWeights> = SIGNAL,
): GraphSignal {
  return {
    async hints(tx, target, { question, candidates, hidden }) {
      const visible = visibilityOf(target, hidden);
      const best = candidates.slice(0, weights.candidates);
      const { called: asked, said, state } = await namesAround(tx, target, phrasesOf(question), best);
      // A part of a graph is another one for each who sees it.
      const known = state === null || !seesAll(visible) ? null : cache.of(target, state);
      const links = await statedLinks(
        tx,
        target,
        [...asked, ...said].slice(0, LINKED_MAX).map((name) => name.name_no),
        visible,
        known?.links ?? null,
      );
      const names = distinctNames([...asked, ...said, ...links.toSorted(byWeight)]).slice(0, NAMES_MAX);
      if (names.length === 0) return { chunks: [], entityIds: [] };
      const { mentions, counts, everywhere } = await mentionsOf(tx, target, names, visible, known?.mentions ?? null);
      // Names that only others' documents know are as if they were not there.
      if (mentions.length === 0) return { chunks: [], entityIds: [] };
      const ranked = walk(
        { asked: asked.filter((name) => counts.has(name.name_no)), names, links, mentions, counts, best },
        weights,
      );
      // What the question names is all over the memory, as the speakers of a conversation are: the walk would end anywhere.
      const isDistinctive =
        asked.some((name) => counts.has(name.name_no)) || !asked.some((name) => everywhere.has(name.name_no));
      return { chunks: isDistinctive ? ranked.chunks : [], entityIds: ranked.entities };
    },
    async entities(tx, target, { entityIds, hidden }) {
      const presented = await presentEntities(tx, target, entityIds, visibilityOf(target, hidden));
      return entityIds.flatMap((entityId) => {
        const entity = presented.get(entityId);
        return entity === undefined ? [] : [{ entity_id: entityId, name: entity.name, type: entity.type }];
      });
    },
    disagreements: (tx, target, { passages, hidden }) =>
      openContradictionsIn(tx, target, passages, visibilityOf(target, hidden)),
  };
}

function byWeight(a: SignalLink, b: SignalLink): number {
  return b.weight - a.weight || a.name_no - b.name_no;
}

function distinctNames(names: readonly SignalName[]): SignalName[] {
  return [...new Map(names.map((name) => [name.name_no, name])).values()];
}

interface Neighbourhood {
  asked: readonly SignalName[];
  names: readonly SignalName[];
  links: readonly SignalLink[];
  mentions: readonly Mention[];
  counts: ReadonlyMap<number, number>;
  best: readonly { chunkId: string; docId: string; score: number }[];
}

function walk(near: Neighbourhood, weights: SignalWeights): { chunks: GraphHints['chunks']; entities: string[] } {
  const nodes = new Map<string, number>();
  const nodeOf = (key: string) => {
    const known = nodes.get(key);
    if (known !== undefined) return known;
    nodes.set(key, nodes.size);
    return nodes.size - 1;
  };
  const entityOf = new Map(near.names.map((name) => [name.name_no, name.entity_id]));
  const documents = new Map<string, string>();
  const [sources, targets, strengths]: [number[], number[], number[]] = [[], [], []];
  const connect = (a: string, b: string, strength: number) => {
    sources.push(nodeOf(a));
    targets.push(nodeOf(b));
    strengths.push(strength);
  };
  for (const { name_no, doc_id, chunk_id } of near.mentions) {
    documents.set(chunk_id, doc_id);
    connect(entityOf.get(name_no)!, chunk_id, 1);
  }
  for (const { from, name_no, weight } of near.links) {
    const [a, b] = [entityOf.get(from), entityOf.get(name_no)];
    if (a !== undefined && b !== undefined && a !== b) connect(a, b, weights.linkWeight * Math.min(1, weight));
  }
  for (const { chunkId, docId } of near.best) {
    documents.set(chunkId, docId);
    nodeOf(chunkId);
  }
  const restart = restartOf(near, nodes, weights);
  const graph = adjacencyOf({ nodes: nodes.size, sources, targets, weights: strengths });
  const rank = pageRank(graph, {
    damping: weights.damping,
    restart,
    iterationsMax: ITERATIONS_MAX,
    tolerance: TOLERANCE,
  });
  const ordered = [...nodes]
    .map(([key, node]) => ({ key, rank: rank[node]! }))
    .sort((a, b) => b.rank - a.rank || (a.key < b.key ? -1 : 1));
  const chunks = ordered.filter(({ key }) => documents.has(key)).slice(0, weights.chunksMax);
  const highest = chunks[0]?.rank ?? 1;
  return {
    chunks: chunks.map(({ key, rank: own }) => ({
      chunkId: key,
      docId: documents.get(key)!,
      weight: own / (highest || 1),
    })),
    entities: ordered
      .filter(({ key }) => !documents.has(key))
      .slice(0, ENTITIES_SHOWN)
      .map(({ key }) => key),
  };
}

/** Where the walk restarts: rare entities of the question, and passages by their scores. */
function restartOf(near: Neighbourhood, nodes: ReadonlyMap<string, number>, weights: SignalWeights): Float64Array {
  const restart = new Float64Array(nodes.size);
  const entities = near.asked.map((name) => ({
    node: nodes.get(name.entity_id),
    weight: certaintyOf(name.norm) / near.counts.get(name.name_no)!,
  }));
  const passages = near.best.map((hit) => ({ node: nodes.get(hit.chunkId), weight: hit.score }));
  const share = entities.length === 0 ? 1 : passages.length === 0 ? 0 : weights.passageShare;
  for (const [group, mass] of [
    [entities, 1 - share],
    [passages, share],
  ] as const) {
    const total = group.reduce((sum, each) => sum + (each.node === undefined ? 0 : each.weight), 0);
    for (const { node, weight } of group)
      if (node !== undefined && total > 0) restart[node]! += (mass * weight) / total;
  }
  return restart;
}
