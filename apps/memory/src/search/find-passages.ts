import { timeSlice } from '@cairn/background';
import type { IndexFilter, IndexHit, IndexQuery, ScoredWord } from '@cairn/search-index';
import { findChunks, type FoundChunk } from '../documents/chunk-store.ts';
import type { OpenMemory } from '../memories/engines.ts';
import { isVisible, visibilityOf } from '../memories/visibility.ts';
import type { ScoreShares } from './explain-score.ts';
import type { Passage } from './answer/passage.ts';
import type { ChunkReader } from './ranking/chunk-terms.ts';
import { fusedScores } from './ranking/fuse-lists.ts';
import { questionDates } from './ranking/question-dates.ts';
import { type Candidate, rerank } from './ranking/rerank.ts';
import { speakerOf } from './ranking/speaker.ts';
import type { RankingWeights } from './ranking/weights.ts';
import { followingDocuments } from './following-documents.ts';
import type { FoundEntity, GraphSignal } from './graph-signal.ts';
import type { TimeWindow } from './time-window.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';

export interface PassageDeps {
  reader: ChunkReader;
  ranking: Readonly<RankingWeights>;
  graph: GraphSignal;
}

interface PassageQuery {
  text: string;
  limit: number;
  filter: IndexFilter | undefined;
  expansions: readonly { text: string; weight: number }[];
  window: TimeWindow | null;
  /** Chunks that are near in meaning, best first, where embeddings are configured. */
  near: readonly Pick<IndexHit, 'chunkId' | 'docId' | 'score'>[];
  explain: boolean;
  /** The request filters: nothing that the lists did not find may be added. */
  onlyHits: boolean;
  signal: AbortSignal;
}

export interface FoundPassage {
  chunk: FoundChunk;
  score: number;
  /** There when the request asks for it. */
  parts: ScoreShares | undefined;
}

/** A found passage as an answer reads it. */
export function passageOf({ chunk, score }: FoundPassage): Passage {
  return {
    chunkId: chunk.chunk_id,
    docId: chunk.doc_id,
    title: chunk.title,
    titlePath: chunk.title_path,
    body: chunk.body,
    score,
    occurredAtMs: chunk.occurred_at?.getTime() ?? null,
  };
}

export interface FoundPassages {
  passages: FoundPassage[];
  entities: FoundEntity[];
}

/** Chunks asked for by themselves, so that there is something to read while the others come. */
const FETCHED_FIRST = 16;
interface Found extends Candidate {
  chunk: FoundChunk;
  hit: IndexHit | undefined;
}

/**
 * Finds and orders passages: lists are joined first, the signals order what they found. Best first. Statements that do
 * not need each other's answers are sent together, and texts are read while the graph is asked.
 */
export async function findPassages(
  open: OpenMemory,
  deps: PassageDeps,
  target: TargetMemory,
  query: PassageQuery,
): Promise<FoundPassages> {
  const { tx } = open;
  const depth = Math.max(query.limit, deps.ranking.depth);
  const { hits, words } = await searchIndex(open, target, query, depth);
  const scores = fusedScores(hits, query.near);
  const ordered = [...scores].map(([chunkId, found]) => ({ chunkId, ...found })).sort((a, b) => b.score - a.score);
  const byId = new Map(hits.map((hit) => [hit.chunkId, hit]));
  const read = (listed: readonly Listed[], from: number) => readCandidates(open, deps, target, { listed, from, byId });
  const [best, others, hints] = await Promise.all([
    read(ordered.slice(0, FETCHED_FIRST), 0),
    read(ordered.slice(FETCHED_FIRST), FETCHED_FIRST),
    deps.graph.hints(tx, target, { question: query.text, candidates: ordered, hidden: open.closedVaults }),
  ]);
  query.signal.throwIfAborted();
  // What a filter of the request leaves out must not come back by the graph.
  const connected = query.onlyHits ? [] : hints.chunks.filter(({ chunkId }) => !scores.has(chunkId));
  const [entities, beside] = await Promise.all([
    deps.graph.entities(tx, target, { entityIds: hints.entityIds, hidden: open.closedVaults }),
    read(
      connected.map(({ chunkId, docId }) => ({ chunkId, docId, score: 0 })),
      ordered.length,
    ),
  ]);
  const ranked = rerank(
    {
      question: query.text,
      words,
      candidates: [...best.candidates, ...others.candidates, ...beside.candidates],
      following: new Map([...best.following, ...others.following, ...beside.following]),
      dates: questionDates(query.text),
      window: query.window,
      graph: new Map(hints.chunks.map(({ chunkId, weight }) => [chunkId, weight])),
    },
    deps.ranking,
  );
  const passages = ranked.slice(0, query.limit).map(({ candidate, score, signals }) => ({
    chunk: candidate.chunk,
    score,
    parts: query.explain
      ? { index: candidate.hit?.explanation, words: scores.get(candidate.chunkId)?.words ?? 0, signals }
      : undefined,
  }));
  return { passages, entities };
}

/** A chunk that a list names. */
interface Listed {
  chunkId: string;
  docId: string;
  score: number;
}

/** The listed chunks that are still there, and seen by the caller whoever listed them, with their words, and for turns of a conversation what follows them. */
async function readCandidates(
  { tx, closedVaults }: OpenMemory,
  { reader, ranking }: PassageDeps,
  target: TargetMemory,
  { listed, from, byId }: { listed: readonly Listed[]; from: number; byId: ReadonlyMap<string, IndexHit> },
): Promise<{ candidates: Found[]; following: Map<string, string[]> }> {
  const chunks = await findChunks(tx, target, listed);
  const visible = visibilityOf(target, closedVaults);
  const found = listed.flatMap(({ chunkId, docId, score }, at) => {
    const chunk = chunks.get(chunkId);
    return chunk === undefined || !isVisible(visible, chunk.vault_id)
      ? []
      : [{ chunkId, docId, score, chunk, rank: from + at }];
  });
  const turns = found.filter(({ chunk }) => speakerOf(chunk.body) !== null);
  const needsFollowing = ranking.neighbour !== 0 || ranking.secondNeighbour !== 0;
  const asked = followingDocuments(tx, target, needsFollowing ? distinctDocuments(turns) : []);
  const [following, candidates] = await Promise.all([asked, readTexts(found, reader, { ranking, byId })]);
  return { candidates, following };
}

/** Longest stretch of reading, so that what PostgreSQL answers meanwhile is taken up and asked on about. */
const SLICE_MAX_MS = 1;

async function readTexts(
  found: readonly { chunkId: string; docId: string; score: number; chunk: FoundChunk; rank: number }[],
  reader: ChunkReader,
  { ranking, byId }: { ranking: Readonly<RankingWeights>; byId: ReadonlyMap<string, IndexHit> },
): Promise<Found[]> {
  const read: Found[] = [];
  const slice = timeSlice(SLICE_MAX_MS);
  for (const { rank, ...one } of found) {
    if (slice.isOver) await slice.yieldToEventLoop();
    const { title_path: titlePath, body, occurred_at } = one.chunk;
    const hit = byId.get(one.chunkId);
    const text = { chunkId: one.chunkId, language: hit?.language, titlePath, body };
    const terms = rank < ranking.depth ? reader.read(text) : null;
    read.push({ ...one, body, occurredAtMs: occurred_at?.getTime() ?? null, terms, hit });
  }
  return read;
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

function distinctDocuments(
  turns: readonly { docId: string; chunk: FoundChunk }[],
): { docId: string; vaultId: string }[] {
  return [...new Map(turns.map(({ docId, chunk }) => [docId, { docId, vaultId: chunk.vault_id }])).values()];
}
