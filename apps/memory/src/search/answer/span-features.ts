import { expectedAnswerType, matchesAnswerType } from './expected-answer-type.ts';
import { type AnswerShape, expectedShape, hasShape } from './expected-shape.ts';
import { asksForDefault, hasNewIdentifier, questionKindOf } from './question-kind.ts';
import { SPAN_FEATURES, type SpanFeature, WEIGHT_UNIT } from './learned-features.ts';
import type { Candidate } from './select-sentences.ts';
import { analyseQuery, stemsOf } from '../../text/analyse.ts';

const NEWS_STEMS = 6;
const LONG_CHARS = 420;
const SHORT_CHARS = 45;
const SUBJECT_STEMS = 2;
const NOUN = /(?:which|what) ([\p{L}-]+)/iu;
const CODE_SHAPES: ReadonlySet<AnswerShape> = new Set(['path', 'option', 'command', 'code']);
const COUNTED = /how (?:many|much) ([\p{L}-]+)/iu;
/** A number and the two words behind it. */
const NUMBERED =
  /(?<![\p{L}\p{N}])(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand)\s+([\p{L}-]+)(?:\s+([\p{L}-]+))?/giu;

/** Sentences with what speaks for each, in the order of the candidates. */
export interface JudgedSpans {
  features: readonly (readonly number[])[];
  /** How well each would begin the answer. */
  values: readonly number[];
}

/** Judges how well each candidate would begin the answer. Those of one passage stand in their order. */
export function judgeSpans(
  candidates: readonly Candidate[],
  asked: Asked,
  weights: Readonly<Record<SpanFeature, number>>,
): JudgedSpans {
  const features = spanFeatures(candidates, asked);
  const factors = SPAN_FEATURES.map((feature) => weights[feature] / WEIGHT_UNIT);
  const values = features.map((row) => row.reduce((sum, value, at) => sum + value * factors[at]!, 0));
  return { features, values };
}

/** What is asked, read once for all sentences. */
interface Asked {
  question: string;
  language: string;
  shares: ReadonlyMap<string, number>;
}

/** The features of each candidate, in the order of `SPAN_FEATURES`. */
function spanFeatures(candidates: readonly Candidate[], asked: Asked): number[][] {
  const read = readQuestion(asked);
  const best = Math.max(...candidates.map(({ passage }) => passage.score), Number.MIN_VALUE);
  let governing = NO_STEMS;
  return candidates.map((candidate, index) => {
    const { term } = candidate.signs;
    if (candidate.position === 0 || term !== null) governing = term ?? NO_STEMS;
    const besides = [candidates[index - 1], candidates[index + 1]].filter(
      (other) => other !== undefined && other.passage === candidate.passage,
    );
    return featuresOf(candidate, { besides: besides as Candidate[], governing, isTerm: term !== null }, read, best);
  });
}

type ReadQuestion = ReturnType<typeof readQuestion>;

function readQuestion({ question, language, shares }: Asked) {
  const counted = COUNTED.exec(question)?.[1];
  const noun = NOUN.exec(question)?.[1];
  return {
    question,
    language,
    shares,
    stems: [...shares.keys()],
    kind: questionKindOf(question),
    type: expectedAnswerType(question),
    shape: expectedShape(question),
    isDefault: asksForDefault(question),
    counted: counted === undefined ? null : (analyseQuery(counted, language)[0] ?? null),
    noun: noun === undefined ? null : (analyseQuery(noun, language)[0] ?? null),
  };
}

function featuresOf(candidate: Candidate, around: Surroundings, asked: ReadQuestion, bestScore: number): number[] {
  const words = wordFeatures(candidate, around, asked);
  const values: Record<SpanFeature, number> = {
    ...words,
    ...placeFeatures(candidate, words, bestScore),
    ...formFeatures(candidate, around, asked),
    ...kindFeatures(candidate, around, asked, words),
  };
  return SPAN_FEATURES.map((feature) => values[feature]);
}

/** Where the question's words are, and how much else stands where they are. */
function wordFeatures(
  { stems, signs, titleStems, heading, passageStems, position }: Candidate,
  { besides, governing, isTerm }: Surroundings,
  { shares, stems: askedStems }: ReadQuestion,
) {
  const where = { inText: 0, governed: 0, inHeading: 0, inTitles: 0, inNeighbours: 0, inPassage: 0 };
  let governingCoverage = 0;
  for (const [stem, share] of shares) {
    if (governing.has(stem)) governingCoverage += share;
    if (stems.has(stem)) where.inText += share;
    else if (governing.has(stem)) where.governed += share;
    else if (heading.has(stem)) where.inHeading += share;
    else if (titleStems.has(stem)) where.inTitles += share;
    else if (besides.some((other) => other.stems.has(stem))) where.inNeighbours += share;
    else if (passageStems.has(stem)) where.inPassage += share;
  }
  const headingPrecision = precision(heading, shares);
  const governingPrecision = precision(governing, shares);
  const own = [...stems];
  return {
    ...where,
    governingCoverage,
    governingPrecision,
    termShare: isTerm ? governingCoverage : 0,
    termPrecision: isTerm ? governingPrecision : 0,
    headingPrecision,
    headingPrecisionFirst: position === 0 ? headingPrecision : 0,
    inTextSquared: where.inText ** 2,
    subject: +hasSubject(own, shares),
    news: Math.min(1, own.filter((stem) => !shares.has(stem)).length / NEWS_STEMS),
    adjacent: adjacency(askedStems, own),
    symbols: signs.symbols,
  };
}

type WordFeatures = ReturnType<typeof wordFeatures>;

function placeFeatures({ passage, passageRank, position }: Candidate, { inText }: WordFeatures, bestScore: number) {
  const topRank = 1 / (1 + passageRank);
  return {
    topRank,
    logRank: Math.log2(1 + passageRank) / 4,
    score: passage.score / bestScore,
    textByRank: inText * topRank,
    first: +(position === 0),
    logPosition: Math.min(1, Math.log2(1 + position) / 4),
  };
}

/** What the sentence looks like, and whether it has what the question's first words ask for. */
function formFeatures(
  { text, signs }: Candidate,
  { isTerm }: Surroundings,
  { type, shape, question, counted, language }: ReadQuestion,
) {
  const matches = type !== null && matchesAnswerType(type, text, question);
  const shaped = shape !== null && hasShape(shape, text, question);
  return {
    length: Math.min(1, text.length / LONG_CHARS),
    short: +(text.length < SHORT_CHARS),
    pointer: +signs.isPointer,
    question: +signs.isQuestion,
    anaphor: +signs.isAnaphor,
    versionNote: +signs.isVersionNote,
    hasTerm: +isTerm,
    numberKind: +(type === 'number' && matches),
    timeKind: +(type === 'time' && matches),
    nameKind: +(type === 'name' && matches),
    counted: +(counted !== null && counts(text, counted, language)),
    shapeCode: +(shaped && CODE_SHAPES.has(shape)),
    shapeNumber: +(shaped && shape === 'number'),
    shapeName: +(shaped && (shape === 'name' || shape === 'place')),
  };
}

function kindFeatures(
  { text, stems, signs, position }: Candidate,
  { isTerm }: Surroundings,
  { kind, question, noun, isDefault, shares, language }: ReadQuestion,
  { headingPrecision, termPrecision, termShare }: WordFeatures,
) {
  const is = (wanted: typeof kind, value: () => number | boolean) => (kind === wanted ? Number(value()) : 0);
  const isFirst = position === 0;
  const hasName = (kind === 'identifier' || kind === 'steps') && hasNewIdentifier(text, question);
  const defaults = isDefault && signs.hasDefault;
  return {
    identifierName: is('identifier', () => hasName),
    identifierTerm: is('identifier', () => isTerm),
    identifierNoun: is('identifier', () => noun !== null && stems.has(noun)),
    definitionWords: is('definition', () => hasSubject([...stems], shares) && signs.verbAt >= 0),
    definitionSubject: is('definition', () => isSubject(text, signs.verbAt, { shares, language })),
    definitionFirst: is('definition', () => isFirst),
    definitionHeading: is('definition', () => headingPrecision),
    definitionTerm: is('definition', () => termPrecision * termShare),
    effectTerm: is('effect', () => termPrecision * termShare),
    effectFirst: is('effect', () => isFirst),
    effectHeading: is('effect', () => headingPrecision),
    stepsName: is('steps', () => hasName),
    stepsWords: is('steps', () => signs.hasSteps),
    stepsTerm: is('steps', () => isTerm),
    defaultWord: +defaults,
    defaultValue: +(defaults && signs.hasDefaultValue),
    reasonWord: is('reason', () => signs.hasReason),
  };
}

const NO_STEMS: ReadonlySet<string> = new Set();

interface Surroundings {
  besides: readonly Candidate[];
  /** The stems of the term that it and those before it tell of. */
  governing: ReadonlySet<string>;
  /** Whether the sentence itself begins with the term. */
  isTerm: boolean;
}

/** The share of some stems that the question has. */
function precision(stems: ReadonlySet<string>, shares: ReadonlyMap<string, number>): number {
  if (stems.size === 0) return 0;
  let known = 0;
  for (const stem of stems) if (shares.has(stem)) known += 1;
  return known / stems.size;
}

/** The share of the question's neighbouring words that are neighbours in the sentence too. */
function adjacency(asked: readonly string[], stems: readonly string[]): number {
  if (asked.length < 2) return 0;
  let pairs = 0;
  for (let at = 1; at < asked.length; at++) {
    const place = stems.indexOf(asked[at]!);
    if (place > 0 && stems[place - 1] === asked[at - 1]) pairs += 1;
  }
  return pairs / (asked.length - 1);
}

function counts(text: string, counted: string, language: string): boolean {
  for (const [, ...words] of text.matchAll(NUMBERED))
    if (words.some((word) => word !== undefined && analyseQuery(word, language)[0] === counted)) return true;
  return false;
}

/** Whether all that stands before the verb is what the question wants explained: “A savepoint is …”. */
function isSubject(
  text: string,
  verbAt: number,
  { shares, language }: Pick<ReadQuestion, 'shares' | 'language'>,
): boolean {
  return verbAt >= 0 && precision(stemsOf(text.slice(0, verbAt), language), shares) === 1;
}

function hasSubject(stems: readonly string[], shares: ReadonlyMap<string, number>): boolean {
  return stems.slice(0, SUBJECT_STEMS).some((stem) => shares.has(stem));
}
