import { expectedAnswerType, matchesAnswerType } from './expected-answer-type.ts';
import { expectedShape, hasShape } from './expected-shape.ts';
import { questionKindOf } from './question-kind.ts';
import {
  CERTAINTY_FEATURES,
  type CertaintyFeature,
  type LearnedWeights,
  SPAN_FEATURES,
  WEIGHT_UNIT,
} from './learned-features.ts';
import type { Candidate } from './select-sentences.ts';
import type { JudgedSpans } from './span-features.ts';

const GAP_MAX = 3;
const LONG_QUESTION_STEMS = 10;
const BEST_PASSAGES = 5;
const FEW_PASSAGES_MAX = 9;
/** A word of the question with a capital, not its first. */
const NAME = /(?<=[\p{L}\p{N},'’]\s)\p{Lu}[\p{L}\p{N}'’-]*/gu;

interface Drafted {
  question: string;
  shares: ReadonlyMap<string, number>;
  candidates: readonly Candidate[];
  spans: JudgedSpans;
  /** The sentences of the answer, the one that begins it first. */
  shown: readonly Candidate[];
}

/**
 * The features of a drafted answer, in the order of `CERTAINTY_FEATURES`. None is a ratio of scores: how far these lie
 * apart says which ranking found them, and another ranking than the training's made wrong answers look sure.
 */
export function certaintyFeatures({ question, shares, candidates, spans, shown }: Drafted): number[] {
  const first = shown[0]!;
  const at = candidates.indexOf(first);
  const own = (feature: (typeof SPAN_FEATURES)[number]) => spans.features[at]![SPAN_FEATURES.indexOf(feature)]!;
  const passages = [...new Map(candidates.map((candidate) => [candidate.passage, candidate])).values()];
  const holds = (one: Candidate) => (stem: string) => one.passageStems.has(stem) || one.titleStems.has(stem);
  const said = (stem: string) => shown.some(({ stems, titleStems }) => stems.has(stem) || titleStems.has(stem));
  const type = expectedAnswerType(question);
  const kind = questionKindOf(question);
  const shape = expectedShape(question);
  const values: Record<CertaintyFeature, number> = {
    ...leadOf(first, at, candidates, spans.values),
    inText: own('inText'),
    adjacent: own('adjacent'),
    headingPrecision: own('headingPrecision'),
    governingPrecision: own('governingPrecision'),
    termPrecision: own('termPrecision'),
    rank: Math.min(1, first.passageRank / 20),
    wordsInPassage: wordShare(shares, holds(first)),
    weightInPassage: weightShare(shares, holds(first)),
    wordsInBestPassage: Math.max(...passages.map((one) => wordShare(shares, holds(one)))),
    weightInBestPassage: Math.max(...passages.map((one) => weightShare(shares, holds(one)))),
    wordsShown: wordShare(shares, said),
    weightShown: weightShare(shares, said),
    questionLength: Math.min(1, shares.size / LONG_QUESTION_STEMS),
    sameDocument:
      passages.slice(0, BEST_PASSAGES).filter(({ passage }) => passage.docId === first.passage.docId).length /
      BEST_PASSAGES,
    fewPassages: +(passages.length <= FEW_PASSAGES_MAX),
    typeMissing: +(type !== null && !shown.some(({ text }) => matchesAnswerType(type, text, question))),
    typed: +(type !== null),
    nameMissing: +lacksName(question, shown),
    shaped: +(shape !== null),
    shapeMissing: +(shape !== null && !shown.some(({ text }) => hasShape(shape, text, question))),
    definition: +(kind === 'definition'),
    effect: +(kind === 'effect'),
    identifier: +(kind === 'identifier'),
    steps: +(kind === 'steps'),
    yesNo: +(kind === 'yesNo'),
    other: +(kind === 'other'),
  };
  return CERTAINTY_FEATURES.map((feature) => values[feature]);
}

/** How likely the answer is right, 0 to 1, by weights that were fitted to answers that were right and wrong. */
export function certaintyOf(features: readonly number[], weights: Readonly<LearnedWeights['certainty']>): number {
  const sum = features.reduce(
    (total, value, at) => total + (value * weights[CERTAINTY_FEATURES[at]!]) / WEIGHT_UNIT,
    weights.bias / WEIGHT_UNIT,
  );
  return 1 / (1 + Math.exp(-sum));
}

/** How far the first sentence is ahead of the others. */
function leadOf(
  first: Candidate,
  at: number,
  candidates: readonly Candidate[],
  values: readonly number[],
): Record<'value' | 'logShare' | 'margin' | 'documentMargin', number> {
  const value = values[at]!;
  let others = Number.NEGATIVE_INFINITY;
  let elsewhere = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const [index, other] of values.entries()) {
    sum += Math.exp(other - value);
    if (index === at) continue;
    others = Math.max(others, other);
    if (candidates[index]!.passage.docId !== first.passage.docId) elsewhere = Math.max(elsewhere, other);
  }
  const ahead = (of: number) => Math.max(-GAP_MAX, Math.min(GAP_MAX, value - of));
  return { value, logShare: -Math.log(sum), margin: ahead(others), documentMargin: ahead(elsewhere) };
}

function wordShare(shares: ReadonlyMap<string, number>, has: (stem: string) => boolean): number {
  return [...shares.keys()].filter(has).length / Math.max(1, shares.size);
}

function weightShare(shares: ReadonlyMap<string, number>, has: (stem: string) => boolean): number {
  let sum = 0;
  for (const [stem, share] of shares) if (has(stem)) sum += share;
  return sum;
}

function lacksName(question: string, shown: readonly Candidate[]): boolean {
  const names = question.match(NAME) ?? [];
  const said = shown.map(({ passage, text }) => `${passage.title} ${passage.titlePath} ${text}`.toLowerCase());
  return names.some((name) => !said.some((text) => text.includes(name.toLowerCase())));
}
