import { countTerms } from './terms.ts';
import { TOPICS } from './topics.ts';

/** Words and how often. */
export type Terms = readonly (readonly [term: string, count: number])[];

/** A space as routing knows it. */
export interface RoutableSpace {
  spaceId: string;
  name: string;
  description: string;
  /** Documents that somebody put there, or confirmed there. */
  learned: readonly Terms[];
}

export interface Route {
  /** Null: none of the spaces. */
  spaceId: string | null;
  /** The winner's share of winner and runner-up, 0 to 1; 0 when nothing speaks for any place. */
  confidence: number;
  /** True when the winner is not at least twice the runner-up. */
  needsReview: boolean;
}

/** What routing compares documents with; made once for many documents. */
export interface Router {
  route(document: Terms): Route;
}

/** How much each source of a profile counts; found on the routing set, see docs/measurements/ingestion.md. */
const NAME_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 2;
const TOPIC_WEIGHT = 0.8;
/** Learned documents count more the more there are, up to this against name and description. */
const LEARNED_WEIGHT_MAX = 4;
const LEARNED_HALF_AT = 3;
/** Less likeness than this says nothing. */
const LIKENESS_MIN = 0.015;
/** The clearer the winner in likeness, the surer; a power spreads what cosine presses together. */
const SHARPNESS = 2;
const TWICE = 2;

/**
 * Nearest centroid (Rocchio): a profile of each space from its name, its description, the topics they name and the
 * documents that people put there; a document goes where the cosine of their weighted terms is largest. Terms that
 * many spaces share count little.
 */
export function createRouter(spaces: readonly RoutableSpace[]): Router {
  const raw = spaces.map(profileOf);
  const spread = new Map<string, number>();
  for (const profile of raw) for (const term of profile.keys()) spread.set(term, (spread.get(term) ?? 0) + 1);
  const weightOf = (term: string) => Math.log(1 + spaces.length / (spread.get(term) ?? spaces.length));
  const profiles = raw.map((profile) => unit([...profile].map(([term, weight]) => [term, weight * weightOf(term)])));
  return {
    route(document) {
      const vector = unit(document.map(([term, count]) => [term, Math.log(1 + count) * weightOf(term)]));
      const likeness = profiles.map((profile) => cosine(vector, profile));
      return decide(spaces, likeness);
    },
  };
}

function decide(spaces: readonly RoutableSpace[], likeness: readonly number[]): Route {
  let winner = -1;
  for (const [index, value] of likeness.entries()) if (winner === -1 || value > likeness[winner]!) winner = index;
  const best = likeness[winner] ?? 0;
  if (best < LIKENESS_MIN) return { spaceId: null, confidence: 0, needsReview: true };
  const second = Math.max(LIKENESS_MIN, ...likeness.filter((_, index) => index !== winner));
  const [first, other] = [best ** SHARPNESS, second ** SHARPNESS];
  return {
    spaceId: spaces[winner]!.spaceId,
    confidence: first / (first + other),
    needsReview: first < TWICE * other,
  };
}

function profileOf(space: RoutableSpace): Map<string, number> {
  const profile = new Map<string, number>();
  const add = (terms: Terms, weight: number) => {
    for (const [term, count] of terms) profile.set(term, (profile.get(term) ?? 0) + Math.log(1 + count) * weight);
  };
  const name = countTerms([space.name]);
  const description = countTerms([space.description]);
  add(name, NAME_WEIGHT);
  add(description, DESCRIPTION_WEIGHT);
  const own = new Set([...name, ...description].map(([term]) => term));
  for (const { cues, words } of topicTerms()) if (cues.some((cue) => own.has(cue))) add(words, TOPIC_WEIGHT);
  const { length } = space.learned;
  const weight = (LEARNED_WEIGHT_MAX * length) / (length + LEARNED_HALF_AT) / Math.max(1, length);
  for (const terms of space.learned) add(terms, weight);
  return profile;
}

let topics: { cues: string[]; words: Terms }[] | undefined;

function topicTerms(): { cues: string[]; words: Terms }[] {
  topics ??= TOPICS.map(({ cues, words }) => ({
    cues: countTerms([cues]).map(([term]) => term),
    words: countTerms([words]).map(([term]) => [term, 1] as const),
  }));
  return topics;
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
