import { findChunks, type FoundChunk } from '../chunk-store.ts';
import type { OpenMemory } from '../engines/engines.ts';
import type { HitExplanation, IndexFilter, IndexHit, IndexQuery, ScoredWord } from '../index/search-index.ts';
import type { TargetMemory } from '../memory-lookup.ts';
import type { ChunkReader } from '../ranking/chunk-terms.ts';
import { questionDates } from '../ranking/question-dates.ts';
import { type Candidate, rerank, type SignalShares } from '../ranking/rerank.ts';
import { speakerOf } from '../ranking/speaker.ts';
import type { RankingWeights } from '../ranking/weights.ts';
import { followingDocuments } from './following-documents.ts';
import type { GraphHints, GraphSignal } from './graph-signal.ts';
import type { TimeWindow } from './time-window.ts';

export interface PassageParts {
  reader: ChunkReader;
  ranking: Readonly<RankingWeights>;
  graph: GraphSignal;
}

export interface PassageQuery {
  text: string;
  limit: number;
  filter: IndexFilter | undefined;
  expansions: readonly { text: string; weight: number }[];
  window: TimeWindow | null;
  /** Chunks that are near in meaning, best first, where embeddings are configured. */
  near: readonly Pick<IndexHit, 'chunkId' | 'docId'>[];
  explain: boolean;
  signal: AbortSignal;
}

export interface FoundPassage {
  chunk: FoundChunk;
  score: number;
  explanation: (HitExplanation & { signals: SignalShares }) | { signals: SignalShares } | undefined;
}

export interface FoundPassages {
  passages: FoundPassage[];
  entities: GraphHints['entities'];
}

/** Reciprocal rank fusion's constant (Cormack, Clarke, Büttcher 2009). */
const FUSION_K = 60;

interface Found extends Candidate {
  chunk: FoundChunk;
  hit: IndexHit | undefined;
}

/** Finds and orders passages: lists are joined first, the signals order what they found. Best first. */
export async function findPassages(
  open: OpenMemory,
  parts: PassageParts,
  target: TargetMemory,
  query: PassageQuery,
): Promise<FoundPassages> {
  const { tx } = open;
  const depth = Math.max(query.limit, parts.ranking.depth);
  const { hits, words } = await searchIndex(open, target, query, depth);
  const scores = fusedScores(hits, query.near);
  const ordered = [...scores].map(([chunkId, found]) => ({ chunkId, ...found })).sort((a, b) => b.score - a.score);
  const hints = await parts.graph.hints(tx, target, { question: query.text, candidates: ordered });
  for (const { chunkId, docId } of hints.chunks) if (!scores.has(chunkId)) ordered.push({ chunkId, docId, score: 0 });
  const chunks = await findChunks(tx, target, ordered);
  query.signal.throwIfAborted();
  const byId = new Map(hits.map((hit) => [hit.chunkId, hit]));
  const candidates = ordered.flatMap(({ chunkId, docId, score }, rank): Found[] => {
    const chunk = chunks.get(chunkId);
    if (chunk === undefined) return [];
    const terms =
      rank < parts.ranking.depth ? parts.reader.read({ chunkId, titlePath: chunk.title_path, body: chunk.body }) : null;
    const occurredAtMs = chunk.occurred_at?.getTime() ?? null;
    return [{ chunkId, docId, score, body: chunk.body, occurredAtMs, terms, chunk, hit: byId.get(chunkId) }];
  });
  const turns = candidates.filter((candidate) => speakerOf(candidate.body) !== null);
  const following =
    parts.ranking.neighbour === 0 && parts.ranking.secondNeighbour === 0
      ? new Map<string, string[]>()
      : await followingDocuments(tx, target, distinctDocuments(turns));
  const ranked = rerank(
    {
      question: query.text,
      words,
      candidates,
      following,
      dates: questionDates(query.text),
      window: query.window,
      graph: new Map(hints.chunks.map(({ chunkId, weight }) => [chunkId, weight])),
    },
    parts.ranking,
  );
  const passages = ranked.slice(0, query.limit).map(({ candidate, score, signals }) => ({
    chunk: candidate.chunk,
    score,
    explanation: query.explain ? { ...candidate.hit?.explanation, signals } : undefined,
  }));
  return { passages, entities: hints.entities };
}

/** The index's hits, and where the question means a time, the best of that time too. */
async function searchIndex(
  { tx, index }: OpenMemory,
  target: TargetMemory,
  query: PassageQuery,
  limit: number,
): Promise<{ hits: IndexHit[]; words: readonly ScoredWord[] }> {
  let words: readonly ScoredWord[] = [];
  const { filter, window } = query;
  const asked: IndexQuery = {
    text: query.text,
    limit,
    expansions: query.expansions,
    explain: query.explain,
    signal: query.signal,
    onWords: (weighed) => (words = weighed),
    // Who asks for a space learns from its scores nothing of what lies beside it.
    ...(target.spaceId === null ? {} : { within: { vaultIds: [target.vaultId] } }),
  };
  const hits = await index.search(tx, target, { ...asked, ...(filter === undefined ? {} : { filter }) });
  if (window === null) return { hits, words };
  const { gteMs, ltMs } = window;
  const inTime: IndexFilter = { occurredAt: { gteMs, ltMs } };
  const then = await index.search(tx, target, {
    ...asked,
    filter: filter === undefined ? inTime : { and: [filter, inTime] },
  });
  const known = new Set(hits.map((hit) => hit.chunkId));
  const joined = [...hits, ...then.filter((hit) => !known.has(hit.chunkId))];
  return { hits: joined.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1)), words };
}

/**
 * Joins the index's list and the list by meaning by their ranks, on the scale of the index's best score; with one list
 * only, its scores stay as they are.
 */
function fusedScores(
  hits: readonly IndexHit[],
  near: readonly Pick<IndexHit, 'chunkId' | 'docId'>[],
): Map<string, { docId: string; score: number }> {
  if (near.length === 0) return new Map(hits.map(({ chunkId, docId, score }) => [chunkId, { docId, score }]));
  const fused = new Map<string, { docId: string; score: number }>();
  for (const list of [hits, near])
    for (const [rank, { chunkId, docId }] of list.entries()) {
      const before = fused.get(chunkId)?.score ?? 0;
      fused.set(chunkId, { docId, score: before + 1 / (FUSION_K + rank + 1) });
    }
  const best = Math.max(...[...fused.values()].map(({ score }) => score));
  const scale = (hits[0]?.score ?? 1) / best;
  for (const one of fused.values()) one.score *= scale;
  return fused;
}

function distinctDocuments(turns: readonly Found[]): { docId: string; vaultId: string }[] {
  return [...new Map(turns.map(({ docId, chunk }) => [docId, { docId, vaultId: chunk.vault_id }])).values()];
}
