import { countTerms } from './terms.ts';
import { COMMON_WORDS, TOPICS } from './topics.ts';

/** Words and how often. */
export type Terms = readonly (readonly [term: string, count: number])[];

/** A space as routing knows it. */
interface RoutableSpace {
  spaceId: string;
  name: string;
  description: string;
  /** Documents that somebody put there, or confirmed there. */
  learned: readonly Terms[];
}

interface Route {
  /** Null: none of the spaces. */
  spaceId: string | null;
  /** The winner's share of winner and runner-up, 0 to 1; what belongs nowhere is a place, too. */
  confidence: number;
  /**
   * True when the winner is not at least twice the runner-up, or is the winner by one word alone, or when a good part of
   * the document speaks for another space.
   */
  needsReview: boolean;
}

/** What documents are compared with; made once for many. */
export interface Router {
  route(document: Terms): Route;
}

// Every constant was chosen on the routing set; docs/measurements/ingestion.md says what it achieves.
const NAME_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 2;
const TOPIC_OF_NAME_WEIGHT = 1;
const TOPIC_OF_DESCRIPTION_WEIGHT = 0.3;
/** Topics that no space is about: what their words are doing elsewhere. */
const TOPIC_AT_LARGE_WEIGHT = 0.3;
/** Dirichlet prior, in words: how much evidence a profile needs to speak against the language at large. */
const PRIOR_WORDS = 120;
/** Nats to a share: words of one document depend on each other, so that their evidence counts less than its sum. */
const TEMPERATURE = 0.7;
const INDEPENDENT_WORDS = 12;
/** Evidence that the best has to have, so that it is a place at all. */
const NONE_SCORE = 0.01;
/** A learned document counts from so much similarity on, with so many nats for the very same. */
const SIMILARITY_MIN = 0.15;
const SIMILARITY_SCORE = 6;
const NEIGHBOURS_MAX = 3;
const TWICE = 2;
/** From so many words on, with so large a share of what speaks for the winner, another place could hold the document, too. */
const RIVAL_WORDS_MIN = 2;
const RIVAL_SHARE = 0.5;

/**
 * Naive Bayes against the language at large (the query-likelihood model of Zhai and Lafferty, with a Dirichlet prior)
 * over profiles made of a space's name, its description and the topics they name; and the nearest neighbour among the
 * documents that people put there, so that a space with more of them has no more votes. What nothing speaks for goes to none of the spaces.
 */
export function createRouter(spaces: readonly RoutableSpace[]): Router {
  const profiles = spaces.map(profileOf);
  const language = languageOf(profiles);
  const neighbours = createNeighbours(spaces);
  return {
    route(document) {
      const words = document.filter(([term]) => !common().has(term));
      const known = words.filter(([term]) => language.weights.has(term));
      const damping = TEMPERATURE * Math.sqrt(INDEPENDENT_WORDS / Math.max(INDEPENDENT_WORDS, known.length));
      const similarity = neighbours.scoresOf(words);
      const evidence = profiles.map((profile) => evidenceOf(known, profile, language).map((one) => damping * one));
      const scores = evidence.map((own, index) => sum(own) + similarity[index]!);
      return decide(
        spaces,
        [...scores, TEMPERATURE * NONE_SCORE],
        [...evidence, known.map(() => 0)],
        [...similarity, 0],
      );
    },
  };
}

/**
 * The last score is that of none of the spaces. `evidence`: what each word adds to each score; `similarity`: what learned
 * documents add.
 */
function decide(
  spaces: readonly RoutableSpace[],
  scores: readonly number[],
  evidence: readonly (readonly number[])[],
  similarity: readonly number[],
): Route {
  const order = scores.map((score, index) => ({ score, index })).sort((a, b) => b.score - a.score || a.index - b.index);
  const [winner, second] = order as [(typeof order)[number], (typeof order)[number]];
  const ratio = Math.exp(winner.score - second.score);
  return {
    spaceId: spaces[winner.index]?.spaceId ?? null,
    confidence: Number.isFinite(ratio) ? ratio / (1 + ratio) : 1,
    needsReview:
      ratio < TWICE ||
      hangsOnOneWord(winner, second, evidence) ||
      evidence.some((_, rival) => rival !== winner.index && couldHoldIt(rival, winner.index, evidence, similarity)),
  };
}

/**
 * Whether the runner-up would win without the word that speaks most against it (leave-one-out): what words of both
 * places stand in, or one word alone of any, could lie in either.
 */
function hangsOnOneWord(
  winner: { score: number; index: number },
  second: { score: number; index: number },
  evidence: readonly (readonly number[])[],
): boolean {
  const [own, other] = [evidence[winner.index]!, evidence[second.index]!];
  const strongest = Math.max(0, ...own.map((one, at) => one - other[at]!));
  return winner.score - strongest <= second.score;
}

/**
 * Whether several words speak for the rival rather than for the winner, with a good share of what speaks the other way.
 * A sum hides that: the more words a document has, the surer it looks, though half of them are of another place.
 */
function couldHoldIt(
  rival: number,
  winner: number,
  evidence: readonly (readonly number[])[],
  similarity: readonly number[],
): boolean {
  const leads = evidence[winner]!.map((own, at) => own - evidence[rival]![at]!);
  const forRival = leads.filter((lead, at) => lead < 0 && evidence[rival]![at]! > 0);
  const forWinner = sum(leads.filter((lead) => lead > 0)) + Math.max(0, similarity[winner]! - similarity[rival]!);
  return forRival.length >= RIVAL_WORDS_MIN && -sum(forRival) >= RIVAL_SHARE * forWinner;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

interface Profile {
  weights: Map<string, number>;
  total: number;
}

function profileOf(space: RoutableSpace): Profile {
  const weights = new Map<string, number>();
  const add = (terms: Iterable<string>, weight: number) => {
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + weight);
  };
  const name = new Set(wordsOf(space.name));
  const description = new Set(wordsOf(space.description));
  add(name, NAME_WEIGHT);
  add(description, DESCRIPTION_WEIGHT);
  for (const { cues, words } of topics()) {
    if (cues.some((cue) => name.has(cue))) add(words, TOPIC_OF_NAME_WEIGHT);
    else if (cues.some((cue) => description.has(cue))) add(words, TOPIC_OF_DESCRIPTION_WEIGHT);
  }
  return withTotal(weights);
}

/** All that is known of any place, and all topics: what a word weighs against. */
function languageOf(profiles: readonly Profile[]): Profile {
  const weights = new Map<string, number>();
  const add = (term: string, weight: number) => weights.set(term, (weights.get(term) ?? 0) + weight);
  for (const profile of profiles) for (const [term, weight] of profile.weights) add(term, weight);
  for (const { words } of topics()) for (const term of words) add(term, TOPIC_AT_LARGE_WEIGHT);
  return withTotal(weights);
}

function withTotal(weights: Map<string, number>): Profile {
  return { weights, total: [...weights.values()].reduce((sum, weight) => sum + weight, 0) };
}

/** What each word says for the profile, in nats. */
function evidenceOf(words: Terms, profile: Profile, language: Profile): number[] {
  return words.map(([term, count]) => {
    const atLarge = language.weights.get(term)! / language.total;
    const here = ((profile.weights.get(term) ?? 0) + PRIOR_WORDS * atLarge) / (profile.total + PRIOR_WORDS);
    return Math.log2(1 + count) * Math.log(here / atLarge);
  });
}

function createNeighbours(spaces: readonly RoutableSpace[]): { scoresOf(words: Terms): number[] } {
  const documents = spaces.flatMap((space, index) =>
    space.learned.map((terms) => ({ index, terms: terms.filter(([term]) => !common().has(term)) })),
  );
  const spread = new Map<string, number>();
  for (const { terms } of documents) for (const [term] of terms) spread.set(term, (spread.get(term) ?? 0) + 1);
  const vectorOf = (terms: Terms) =>
    unit(
      terms.map(([term, count]) => {
        return [term, Math.log(1 + count) * Math.log(1 + documents.length / (spread.get(term) ?? 0.5))] as const;
      }),
    );
  const vectors = documents.map(({ index, terms }) => ({ index, vector: vectorOf(terms) }));
  return {
    scoresOf(words) {
      const scores: number[] = spaces.map(() => 0);
      if (vectors.length === 0) return scores;
      const own = vectorOf(words);
      const alike = vectors
        .map(({ index, vector }) => ({ index, similarity: cosine(own, vector) }))
        .filter(({ similarity }) => similarity >= SIMILARITY_MIN)
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, NEIGHBOURS_MAX);
      for (const { index, similarity } of alike)
        scores[index] = Math.max(scores[index]!, SIMILARITY_SCORE * similarity);
      return scores.map((score) => score * TEMPERATURE);
    },
  };
}

type Vector = Map<string, number>;

function unit(weights: readonly (readonly [string, number])[]): Vector {
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
  return new Map(weights.map(([term, weight]) => [term, weight / length]));
}

function cosine(a: Vector, b: Vector): number {
  let sum = 0;
  for (const [term, weight] of a) sum += weight * (b.get(term) ?? 0);
  return sum;
}

function wordsOf(text: string): string[] {
  return countTerms([text])
    .map(([term]) => term)
    .filter((term) => !common().has(term));
}

let commonWords: ReadonlySet<string> | undefined;

function common(): ReadonlySet<string> {
  commonWords ??= new Set(countTerms([COMMON_WORDS]).map(([term]) => term));
  return commonWords;
}

let topicWords: { cues: string[]; words: string[] }[] | undefined;

function topics(): { cues: string[]; words: string[] }[] {
  topicWords ??= TOPICS.map(({ cues, words }) => ({ cues: wordsOf(cues), words: wordsOf(words) }));
  return topicWords;
}
