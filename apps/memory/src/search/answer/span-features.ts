import { answerTypeTest, expectedAnswerType } from './expected-answer-type.ts';
import { type AnswerShape, expectedShape, hasShape } from './expected-shape.ts';
import { asksForDefault, questionKindOf } from './question-kind.ts';
import { SPAN_AT, SPAN_FEATURES, type SpanFeature, WEIGHT_UNIT } from './learned-features.ts';
import type { Candidate } from './select-sentences.ts';
import { analyseQuery } from '../../text/analyse.ts';

const NEWS_STEMS = 6;
const LONG_CHARS = 420;
const SHORT_CHARS = 45;
const NOUN = /(?:which|what) ([\p{L}-]+)/iu;
const CODE_SHAPES: ReadonlySet<AnswerShape> = new Set(['path', 'option', 'command', 'code']);
const COUNTED = /how (?:many|much) ([\p{L}-]+)/iu;

/** Sentences with what speaks for each, in the order of the candidates. */
export interface JudgedSpans {
  features: readonly (readonly number[])[];
  /** How well each would begin the answer. */
  values: readonly number[];
}

/** Judges how well each candidate would begin the answer. Those of one passage stand in their order. */
export function judgeSpans(
  candidates: readonly Candidate[],
  asked: QuestionContext,
  weights: Readonly<Record<SpanFeature, number>>,
): JudgedSpans {
  const features = spanFeatures(candidates, asked);
  const factors = SPAN_FEATURES.map((feature) => weights[feature] / WEIGHT_UNIT);
  return { features, values: features.map((row) => weighed(row, factors)) };
}

function weighed(row: readonly number[], factors: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < row.length; at += 1) sum += row[at]! * factors[at]!;
  return sum;
}

/** What is asked, read once for all sentences. */
interface QuestionContext {
  question: string;
  language: string;
  shares: ReadonlyMap<string, number>;
}

/** The features of each candidate, in the order of `SPAN_FEATURES`; what a sentence has not is 0. */
function spanFeatures(candidates: readonly Candidate[], asked: QuestionContext): number[][] {
  const read = readQuestion(asked);
  const best = candidates.reduce((most, { passage }) => Math.max(most, passage.score), Number.MIN_VALUE);
  let governing = termOf(NO_STEMS, read);
  let headingPrecision = 0;
  return candidates.map((candidate, at) => {
    const { passage, position, heading } = candidate;
    const { term } = candidate.signs;
    if (position === 0 || term !== null) governing = termOf(term ?? NO_STEMS, read);
    if (position === 0) headingPrecision = precision(heading, read.shares);
    const beside = (other: Candidate | undefined) => (other?.passage === passage ? other : null);
    const around = {
      before: beside(candidates[at - 1]),
      after: beside(candidates[at + 1]),
      governing,
      isTerm: term !== null,
      headingPrecision,
    };
    const row = SPAN_FEATURES.map(() => 0);
    writeWords(row, candidate, around, read);
    writePlace(row, candidate, best);
    writeForm(row, candidate, read);
    writeKind(row, candidate, around, read);
    return row;
  });
}

type ReadQuestion = ReturnType<typeof readQuestion>;

function readQuestion({ question, language, shares }: QuestionContext) {
  const counted = COUNTED.exec(question)?.[1];
  const noun = NOUN.exec(question)?.[1];
  const type = expectedAnswerType(question);
  return {
    question,
    known: question.toLowerCase(),
    shares,
    stems: [...shares.keys()],
    kind: questionKindOf(question),
    type,
    isOfType: type === null ? null : answerTypeTest(type, question),
    shape: expectedShape(question),
    isDefault: asksForDefault(question),
    counted: counted === undefined ? null : (analyseQuery(counted, language)[0] ?? null),
    noun: noun === undefined ? null : (analyseQuery(noun, language)[0] ?? null),
  };
}

/** What stands round a sentence. */
interface Surroundings {
  /** The sentences of its passage on both sides. */
  before: Candidate | null;
  after: Candidate | null;
  governing: Term;
  /** Whether the sentence itself begins with the term. */
  isTerm: boolean;
  headingPrecision: number;
}

/** A term that sentences tell of, and how it and the question cover each other. */
interface Term {
  stems: ReadonlySet<string>;
  precision: number;
  coverage: number;
}

function termOf(stems: ReadonlySet<string>, { shares }: ReadQuestion): Term {
  let coverage = 0;
  if (stems.size > 0) for (const [stem, share] of shares) if (stems.has(stem)) coverage += share;
  return { stems, precision: precision(stems, shares), coverage };
}

const NO_STEMS: ReadonlySet<string> = new Set();

/** Where the question's words are, and how much else stands where they are. */
function writeWords(row: number[], candidate: Candidate, around: Surroundings, asked: ReadQuestion): void {
  const { stems, words, signs, titleStems, heading, passageStems, position } = candidate;
  const { before, after, governing, isTerm, headingPrecision } = around;
  const { shares } = asked;
  let inText = 0;
  for (const [stem, share] of shares) {
    if (stems.has(stem)) inText += share;
    else if (governing.stems.has(stem)) row[SPAN_AT.governed]! += share;
    else if (heading.has(stem)) row[SPAN_AT.inHeading]! += share;
    else if (titleStems.has(stem)) row[SPAN_AT.inTitles]! += share;
    else if (before?.stems.has(stem) === true || after?.stems.has(stem) === true) row[SPAN_AT.inNeighbours]! += share;
    else if (passageStems.has(stem)) row[SPAN_AT.inPassage]! += share;
  }
  row[SPAN_AT.inText] = inText;
  row[SPAN_AT.inTextSquared] = inText ** 2;
  row[SPAN_AT.governingCoverage] = governing.coverage;
  row[SPAN_AT.governingPrecision] = governing.precision;
  row[SPAN_AT.termShare] = isTerm ? governing.coverage : 0;
  row[SPAN_AT.termPrecision] = isTerm ? governing.precision : 0;
  row[SPAN_AT.headingPrecision] = headingPrecision;
  row[SPAN_AT.headingPrecisionFirst] = position === 0 ? headingPrecision : 0;
  row[SPAN_AT.subject] = +hasSubject(words, shares);
  row[SPAN_AT.news] = newsOf(words, shares);
  row[SPAN_AT.adjacent] = adjacency(asked.stems, candidate);
  row[SPAN_AT.symbols] = signs.symbols;
}

function writePlace(row: number[], { passage, passageRank, position }: Candidate, bestScore: number): void {
  const topRank = 1 / (1 + passageRank);
  row[SPAN_AT.topRank] = topRank;
  row[SPAN_AT.logRank] = Math.log2(1 + passageRank) / 4;
  row[SPAN_AT.score] = passage.score / bestScore;
  row[SPAN_AT.textByRank] = row[SPAN_AT.inText]! * topRank;
  row[SPAN_AT.first] = +(position === 0);
  row[SPAN_AT.logPosition] = Math.min(1, Math.log2(1 + position) / 4);
}

/** What the sentence looks like, and whether it has what the question's first words ask for. */
function writeForm(row: number[], { text, signs }: Candidate, asked: ReadQuestion): void {
  const { type, isOfType, shape, question, counted } = asked;
  row[SPAN_AT.length] = Math.min(1, text.length / LONG_CHARS);
  row[SPAN_AT.short] = +(text.length < SHORT_CHARS);
  row[SPAN_AT.pointer] = +signs.isPointer;
  row[SPAN_AT.question] = +signs.isQuestion;
  row[SPAN_AT.anaphor] = +signs.isAnaphor;
  row[SPAN_AT.versionNote] = +signs.isVersionNote;
  row[SPAN_AT.hasTerm] = +(signs.term !== null);
  if (type !== null) row[TYPE_FEATURES[type]] = +isOfType!(text);
  row[SPAN_AT.counted] = +(counted !== null && signs.counted.has(counted));
  if (shape === null) return;
  const isShaped = shape === 'code' ? hasNewName(signs.identifiers, asked) : hasShape(shape, text, question);
  const feature = CODE_SHAPES.has(shape) ? SPAN_AT.shapeCode : SHAPE_FEATURES[shape];
  if (feature !== undefined) row[feature] = +isShaped;
}

const TYPE_FEATURES = { number: SPAN_AT.numberKind, time: SPAN_AT.timeKind, name: SPAN_AT.nameKind };
const SHAPE_FEATURES: Readonly<Partial<Record<AnswerShape, number>>> = {
  number: SPAN_AT.shapeNumber,
  name: SPAN_AT.shapeName,
  place: SPAN_AT.shapeName,
};

/** What answers a question of its kind. */
function writeKind(row: number[], candidate: Candidate, around: Surroundings, asked: ReadQuestion): void {
  const { stems, words, signs, position } = candidate;
  const { isTerm, governing, headingPrecision } = around;
  const { kind, shares, noun, isDefault } = asked;
  const term = isTerm ? governing.precision * governing.coverage : 0;
  switch (kind) {
    case 'identifier':
      row[SPAN_AT.identifierName] = +hasNewName(signs.identifiers, asked);
      row[SPAN_AT.identifierTerm] = +isTerm;
      row[SPAN_AT.identifierNoun] = +(noun !== null && stems.has(noun));
      break;
    case 'definition':
      row[SPAN_AT.definitionWords] = +(signs.verbAt >= 0 && hasSubject(words, shares));
      row[SPAN_AT.definitionSubject] = +(signs.verbAt >= 0 && precision(signs.subject, shares) === 1);
      row[SPAN_AT.definitionFirst] = +(position === 0);
      row[SPAN_AT.definitionHeading] = headingPrecision;
      row[SPAN_AT.definitionTerm] = term;
      break;
    case 'effect':
      row[SPAN_AT.effectTerm] = term;
      row[SPAN_AT.effectFirst] = +(position === 0);
      row[SPAN_AT.effectHeading] = headingPrecision;
      break;
    case 'steps':
      row[SPAN_AT.stepsName] = +hasNewName(signs.identifiers, asked);
      row[SPAN_AT.stepsWords] = +signs.hasSteps;
      row[SPAN_AT.stepsTerm] = +isTerm;
      break;
    case 'reason':
      row[SPAN_AT.reasonWord] = +signs.hasReason;
      break;
    case 'yesNo':
    case 'other':
  }
  row[SPAN_AT.defaultWord] = +(isDefault && signs.hasDefault);
  row[SPAN_AT.defaultValue] = +(isDefault && signs.hasDefaultValue);
}

function hasNewName(identifiers: readonly string[], { known }: ReadQuestion): boolean {
  return identifiers.some((name) => !known.includes(name));
}

/** The share of some stems that the question has. */
function precision(stems: ReadonlySet<string>, shares: ReadonlyMap<string, number>): number {
  if (stems.size === 0) return 0;
  let known = 0;
  for (const stem of stems) if (shares.has(stem)) known += 1;
  return known / stems.size;
}

/** How much the sentence says beside the question's words, 0 to 1. */
function newsOf(words: readonly string[], shares: ReadonlyMap<string, number>): number {
  let news = 0;
  for (const word of words) {
    if (!shares.has(word)) news += 1;
    if (news === NEWS_STEMS) break;
  }
  return news / NEWS_STEMS;
}

/** The share of the question's neighbouring words that are neighbours in the sentence too. */
function adjacency(asked: readonly string[], { stems, words }: Candidate): number {
  if (asked.length < 2) return 0;
  let pairs = 0;
  for (let at = 1; at < asked.length; at++) {
    if (!stems.has(asked[at]!) || !stems.has(asked[at - 1]!)) continue;
    const place = words.indexOf(asked[at]!);
    if (place > 0 && words[place - 1] === asked[at - 1]) pairs += 1;
  }
  return pairs / (asked.length - 1);
}

/** Whether one of the first two words is the question's. */
function hasSubject(words: readonly string[], shares: ReadonlyMap<string, number>): boolean {
  return words.length > 0 && (shares.has(words[0]!) || (words.length > 1 && shares.has(words[1]!)));
}
