import type { ScoredWord } from '@cairn/search-index';
import { analyseQuery } from '../../text/analyse.ts';
import { similarityToTopHit } from './similarity-to-top-hits.ts';
import { dateMatch, type QuestionDates } from './question-dates.ts';
import { proximityOf } from './proximity.ts';
import { asksAboutSelf, isOfPerson, isTurn, namesSpeaker, speakerOf } from './speaker.ts';
import type { RankingWeights } from './weights.ts';
import type { ChunkTerms } from './term-collector.ts';

/** A hit of the index, or of another list that found it. */
export interface Candidate {
  chunkId: string;
  docId: string;
  /** Of the index; 0 for what only another list found. */
  score: number;
  body: string;
  occurredAtMs: number | null;
  terms: ChunkTerms | null;
}

export interface RankingInput {
  question: string;
  words: readonly ScoredWord[];
  /** Best first. */
  candidates: readonly Candidate[];
  /** For turns of a conversation: the documents that follow, nearest first. */
  following: ReadonlyMap<string, readonly string[]>;
  dates: QuestionDates;
  /** The time the question means, if any. */
  window: { gteMs: number; ltMs: number } | null;
  /** By chunk, 0 to 1. */
  graph: ReadonlyMap<string, number>;
}

/** What each signal added to a score. */
export type SignalShares = Record<'lexical' | keyof Omit<RankingWeights, 'depth' | 'proximityWindow'>, number>;

/** Share of turns among the candidates from which the collection is one of conversations. */
const TURN_SHARE = 0.22;
/**
 * Passages of one document, on the mean of the candidates, from which similarity to the best says little: passages are
 * like others of their document, and of documents of their form. 1 to 1.1 in collections of abstracts and paragraphs, 2
 * and more in those of documents of several pages, where similarity costs .004 to .02 of nDCG@10.
 */
const PASSAGES_OF_DOCUMENT = 1.5;

interface Ranked<C extends Candidate> {
  candidate: C;
  score: number;
  signals: SignalShares;
}

/**
 * Orders candidates by the index's score and what further signals add to it. No signal takes away, so that a candidate
 * below the depth they look at never passes one within it by their doing. Ties break by chunk id.
 */
export function rerank<C extends Candidate>(
  input: RankingInput & { candidates: readonly C[] },
  weights: Readonly<RankingWeights>,
): Ranked<C>[] {
  const candidates: readonly C[] = input.candidates;
  const top = candidates.reduce((most, candidate) => Math.max(most, candidate.score), 0);
  const ranked = candidates.map((candidate): Ranked<C> => ({
    candidate,
    score: 0,
    signals: lexicalShares(candidate.score),
  }));
  const deep = ranked.slice(0, weights.depth);
  addProximity(deep, input, weights);
  addConversation(ranked, input, weights, top);
  addTimes(ranked, input, weights, top);
  for (const one of ranked) one.score = sumOf(one.signals);
  // The anchor is the best by words: what the graph brings up is about something else that belongs to it. Turns are
  // like each other by how people talk, which says nothing of what they talk about.
  if (!areTurns(deep) && !areParts(deep)) addSimilarityToTopHit(deep, weights, top);
  for (const one of ranked) one.signals.graph = weights.graph * top * (input.graph.get(one.candidate.chunkId) ?? 0);
  for (const one of ranked) one.score = sumOf(one.signals);
  return ranked.sort((a, b) => b.score - a.score || (a.candidate.chunkId < b.candidate.chunkId ? -1 : 1));
}

/**
 * Whether the documents are turns of conversations. Long turns are several passages, of which the first alone says who
 * talks: .26 to 1 of the candidates do in collections of turns, .18 at most in those of texts and of whole sessions.
 */
function areTurns(ranked: readonly Ranked<Candidate>[]): boolean {
  return ranked.filter(({ candidate }) => isTurn(candidate.body)).length > TURN_SHARE * ranked.length;
}

/** Whether the candidates are parts of longer documents. */
function areParts(ranked: readonly Ranked<Candidate>[]): boolean {
  const documents = new Set(ranked.map(({ candidate }) => candidate.docId)).size;
  return ranked.length > PASSAGES_OF_DOCUMENT * documents;
}

/** The shares of a score that is the index's alone. */
export function lexicalShares(lexical: number): SignalShares {
  return {
    lexical,
    proximity: 0,
    kinship: 0,
    neighbour: 0,
    secondNeighbour: 0,
    speaker: 0,
    asker: 0,
    date: 0,
    timeWindow: 0,
    graph: 0,
  };
}

function sumOf(shares: SignalShares): number {
  return Object.values(shares).reduce((sum, share) => sum + share, 0);
}

function addProximity(
  deep: readonly Ranked<Candidate>[],
  { words }: RankingInput,
  weights: Readonly<RankingWeights>,
): void {
  if (weights.proximity === 0) return;
  for (const { candidate, signals } of deep)
    if (candidate.terms !== null)
      signals.proximity = weights.proximity * proximityOf(words, candidate.terms, weights.proximityWindow);
}

/** A turn is also about what is said just before and after it, and by whom. */
function addConversation(
  ranked: readonly Ranked<Candidate>[],
  input: RankingInput,
  weights: Readonly<RankingWeights>,
  top: number,
): void {
  const byDocument = new Map(ranked.map((one) => [one.candidate.docId, one]));
  const shares = ['neighbour', 'secondNeighbour'] as const;
  for (const [docId, following] of input.following) {
    const one = byDocument.get(docId);
    if (one === undefined) continue;
    for (const [index, share] of shares.entries()) {
      const other = byDocument.get(following[index] ?? '');
      if (other === undefined) continue;
      one.signals[share] += weights[share] * other.candidate.score;
      other.signals[share] += weights[share] * one.candidate.score;
    }
  }
  if (weights.speaker === 0 && weights.asker === 0) return;
  const stems = new Set(analyseQuery(input.question, 'en'));
  // “I” names the person of a dialogue with a program, who alone tells about himself. Whole conversations kept as one
  // document begin with either side, which says nothing.
  const ofOneself = areTurns(ranked.slice(0, weights.depth)) && asksAboutSelf(input.question);
  for (const { candidate, signals } of ranked) {
    const speaker = speakerOf(candidate.body);
    if (speaker !== null && namesSpeaker(stems, speaker)) signals.speaker = weights.speaker * top;
    else if (ofOneself && isOfPerson(candidate.body)) signals.asker = weights.asker * top;
  }
}

function addTimes(
  ranked: readonly Ranked<Candidate>[],
  input: RankingInput,
  weights: Readonly<RankingWeights>,
  top: number,
): void {
  const { dates, window } = input;
  for (const { candidate, signals } of ranked) {
    const at = candidate.occurredAtMs;
    if (at === null) continue;
    signals.date = weights.date * top * dateMatch(dates, at);
    if (window !== null && at >= window.gteMs && at < window.ltMs) signals.timeWindow = weights.timeWindow * top;
  }
}

function addSimilarityToTopHit(
  deep: readonly Ranked<Candidate>[],
  weights: Readonly<RankingWeights>,
  top: number,
): void {
  const read = deep.filter((one) => one.candidate.terms !== null);
  if (weights.kinship === 0 || read.length < 2) return;
  let best = 0;
  for (const [index, one] of read.entries()) if (one.score > read[best]!.score) best = index;
  const similarity = similarityToTopHit(
    best,
    read.map((one) => one.candidate.terms!),
  );
  for (const [index, one] of read.entries()) one.signals.kinship = weights.kinship * top * similarity[index]!;
}
