import { canonicalFigure } from '@cairn/language';
import { analyseQuery } from '../../text/analyse.ts';
import { expectedAnswerType } from './expected-answer-type.ts';
import { asksForDefault } from './question-kind.ts';
import type { Candidate } from './select-sentences.ts';

/** A reader compares so many; more are a list. */
const OTHERS_MAX = 2;
/** A sentence with more figures is about more than what is asked. */
const VALUES_MAX = 3;
/** Of the words of the shorter sentence, how many both must have to say the same of the same. */
const SAME_CLAIM_MIN = 0.5;
/** A figure and the word behind it. */
const VALUE = /(?<![\p{L}\p{N}.,-])(\d{1,12}(?:[.,]\d{1,12}){0,4})(?:\s{0,2}(%|\p{L}{1,30}))?/gu;

interface Value {
  figure: string;
  unit: string;
}

interface QuestionContext {
  question: string;
  language: string;
  shares: ReadonlyMap<string, number>;
}

/**
 * The first sentence of an answer with those of other documents that state another value for the same, the newest
 * dated first: which one holds is for the reader to say. The first sentence alone when none does. The candidates come
 * by rank, so that of one document the best is taken.
 */
export function withDifferingValues(
  first: Candidate,
  candidates: readonly Candidate[],
  asked: QuestionContext,
): Candidate[] {
  const { question, language } = asked;
  const type = expectedAnswerType(question);
  if (type !== 'number' && type !== 'time' && !asksForDefault(question)) return [first];
  const known = new Set(valuesOf(question, language).map(({ figure }) => figure));
  const read = (text: string) => valuesOf(text, language).filter(({ figure }) => !known.has(figure));
  const own = read(first.text);
  if (own.length === 0 || own.length > VALUES_MAX) return [first];
  const stated = [{ candidate: first, values: own }];
  for (const candidate of candidates) {
    if (stated.length > OTHERS_MAX) break;
    if (stated.some((one) => one.candidate.passage.docId === candidate.passage.docId)) continue;
    if (!isSameClaim(first, candidate, asked)) continue;
    const values = read(candidate.text);
    if (stated.every((one) => differ(one.values, values, type === 'time'))) stated.push({ candidate, values });
  }
  return stated.map((one) => one.candidate).sort((a, b) => dateOf(b) - dateOf(a));
}

function dateOf({ passage }: Candidate): number {
  return passage.occurredAtMs ?? Number.MIN_SAFE_INTEGER;
}

/** Whether a sentence has all of the question that the first has, and most of what else that says. */
function isSameClaim(first: Candidate, other: Candidate, { shares }: QuestionContext): boolean {
  const has = ({ stems, titleStems }: Candidate, stem: string) => stems.has(stem) || titleStems.has(stem);
  const asked = [...shares.keys()].filter((stem) => has(first, stem));
  if (asked.length === 0 || !asked.every((stem) => has(other, stem))) return false;
  const [left, right] = [wordsOf(first), wordsOf(other)];
  const shared = left.filter((stem) => other.stems.has(stem)).length;
  return shared > 0 && shared >= SAME_CLAIM_MIN * Math.min(left.length, right.length);
}

function wordsOf({ stems }: Candidate): string[] {
  return [...stems].filter((stem) => !/\d/.test(stem));
}

/** Whether two sentences state values of one kind, and none that both have. */
function differ(a: readonly Value[], b: readonly Value[], isTime: boolean): boolean {
  if (b.length === 0 || b.length > VALUES_MAX) return false;
  if (a.some(({ figure }) => b.some((other) => other.figure === figure))) return false;
  return isTime || a.some(({ unit }) => b.some((other) => other.unit === unit));
}

function valuesOf(text: string, language: string): Value[] {
  return [...text.matchAll(VALUE)].map(([, figure = '', unit = '']) => ({
    figure: canonicalFigure(figure),
    unit: unit === '%' ? unit : (analyseQuery(unit, language)[0] ?? ''),
  }));
}
