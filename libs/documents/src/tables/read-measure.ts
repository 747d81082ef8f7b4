import type { Condition, Measure } from './query.ts';
import { columnAt, isMeasure, type Mention, type QuestionAnalysis, markUsed } from './question-analysis.ts';
import { isAdditive } from './additive.ts';
import { isUnit } from './compared-unit.ts';
import { isRowNoun } from './row-nouns.ts';
import type { TableWord } from './words.ts';
import type { Ordering } from './superlatives.ts';

const AVERAGE = /^(?:average|mean|averages)$/;
const TOTAL = /^(?:total|sum|altogether|combined|overall|totals)$/;
const DISTINCT = /^(?:different|distinct|unique)$/;
const SHARE = /^(?:share|percentage|proportion|fraction|percent)$/;

/** What is to be computed; null when the question asks to compute something that is not clear. */
export function readMeasure(
  reading: QuestionAnalysis,
  conditions: readonly Condition[],
  ordering: Ordering | null,
): Measure | null {
  const { words } = reading;
  const open = (pattern: RegExp) =>
    words.findIndex((word, at) => reading.used[at] === false && pattern.test(word.lower));
  const average = open(AVERAGE);
  if (average >= 0) return ofColumn(reading, average, 'average', ordering);
  const median = open(/^median$/);
  if (median >= 0) return ofColumn(reading, median, 'median', ordering);
  const share = open(SHARE);
  if (share >= 0 && conditions.length === 1 && ordering === null) return shareOf(reading, share);
  const counted = countedAt(reading);
  const total = open(TOTAL);
  if (counted >= 0) return countOf(reading, counted, total >= 0, ordering);
  if (
    total >= 0 &&
    (words[total + 1]?.lower === 'of' ||
      !reading.mentions.some(({ start, end }) => start <= total && total < end && isColumnOwn(reading, total)))
  ) {
    const summed = ofColumn(reading, total, 'sum', ordering);
    if (summed !== null || ordering === null) return summed;
  }
  const muchAt = words.findIndex(({ lower }, at) => lower === 'much' && words[at - 1]?.lower === 'how');
  const much = muchAt < 0 || ordering !== null ? undefined : measured(reading, muchAt);
  const column = columnAt(much, isMeasure);
  if (much !== undefined && column !== null && isAdditive(column)) {
    markUsed(reading, much.start, much.end);
    return { kind: 'sum', column };
  }
  return { kind: 'rows' };
}

/** `the share of orders` is one of rows, `the share of revenue` one of what the column has in all of them. */
function shareOf(reading: QuestionAnalysis, at: number): Measure | null {
  const { words, mentions, table } = reading;
  markUsed(reading, at, at + 1);
  const behind = /^(?:of|in)$/.test(words[at + 1]?.lower ?? '') ? skipArticles(words, at + 2) : -1;
  const mention = mentions.find(({ start }) => start === behind);
  const column = columnAt(mention, isMeasure);
  const isOfRows = mention === undefined || column === null || isRowNoun(words[behind]!.root, table);
  if (isOfRows) return { kind: 'share', column: null };
  if (!isAdditive(column) || mention.columns[0]!.column !== column) return null;
  markUsed(reading, mention.start, mention.end);
  return { kind: 'share', column };
}

function skipArticles(words: readonly TableWord[], at: number): number {
  let place = at;
  while (/^(?:the|all|our|its)$/.test(words[place]?.lower ?? '')) place += 1;
  return place;
}

/** A column may be named `total` itself: `the total cost`. */
function isColumnOwn({ table, words }: QuestionAnalysis, at: number): boolean {
  return table.columns.some((column) => column.words.some(({ stem }) => stem === words[at]!.stem));
}

function ofColumn(
  reading: QuestionAnalysis,
  at: number,
  kind: 'average' | 'median' | 'sum',
  ordering: Ordering | null,
): Measure | null {
  // `the highest total cost`: the superlative has taken the column already.
  if (ordering?.column != null && isMeasure(ordering.column)) {
    markUsed(reading, at, at + 1);
    return { kind, column: ordering.column };
  }
  const mention = measured(reading, at);
  const column = columnAt(mention, isMeasure);
  if (mention === undefined || column === null) {
    const measures = reading.table.columns.filter(isMeasure);
    return measures.length === 1 && kind === 'sum' && isAdditive(measures[0]!) ? { kind, column: measures[0]! } : null;
  }
  markUsed(reading, at, at + 1);
  markUsed(reading, mention.start, mention.end);
  return { kind, column };
}

/** The column of numbers named behind the place, else before it, that no condition has taken. */
function measured({ mentions, used }: QuestionAnalysis, at: number): Mention | undefined {
  const open = mentions.filter((mention) => used[mention.start] === false && columnAt(mention, isMeasure) !== null);
  const rank = (mention: Mention) =>
    (isMeasure(mention.columns[0]!.column) ? 0 : 10) +
    (mention.start >= at ? 0 : 5) -
    Math.min(4, mention.columns[0]!.strength);
  return open.sort((a, b) => rank(a) - rank(b) || Math.abs(a.start - at) - Math.abs(b.start - at))[0];
}

/** Place of what is counted: behind `how many` or `the number of`. */
function countedAt(reading: QuestionAnalysis): number {
  const { words, used } = reading;
  for (let at = 0; at + 1 < words.length; at += 1) {
    if (used[at] === true) continue;
    const [first, second] = [words[at]!.lower, words[at + 1]!.lower];
    if (first === 'how' && second === 'many') return at + 2;
    if (first === 'number' && second === 'of') return at + 2;
    if (first === 'count' && (second === 'of' || second === 'the' || second === 'all')) return at + 2;
    if (first === 'count' && at === 0) return at + 1;
  }
  return -1;
}

function countOf(
  reading: QuestionAnalysis,
  counted: number,
  isTotal: boolean,
  ordering: Ordering | null,
): Measure | null {
  const { words, mentions, table, used } = reading;
  let at = counted;
  while (/^(?:of|the|all|our)$/.test(words[at]?.lower ?? '')) at += 1;
  if (DISTINCT.test(words[at]?.lower ?? '')) {
    const mention = mentions.find(({ start }) => start === at + 1);
    if (mention === undefined) return null;
    markUsed(reading, at, mention.end);
    return { kind: 'distinct', column: mention.columns[0]!.column };
  }
  const noun = words[at];
  const mention = mentions.find(({ start }) => start === at && used[start] === false);
  const best = mention?.columns[0];
  const isPiece =
    noun !== undefined && /^(?:piece|item|unit|copy|euro|dollar)$/.test(noun.stem) && (best?.strength ?? 0) < 3;
  const other = isPiece ? measured(reading, at + 1) : undefined;
  if (isPiece && other !== undefined && other.start !== at) {
    markUsed(reading, at, at + 1);
    markUsed(reading, other.start, other.end);
    return { kind: 'sum', column: columnAt(other, isMeasure)! };
  }
  if (mention !== undefined && best !== undefined) {
    const measure = isMeasure(best.column) ? best.column : null;
    if (measure !== null && (best.strength >= 2 || isTotal || mention.columns.length === 1)) {
      const exact = bestOf(reading, mention, counted);
      if (exact === null) return null;
      return { kind: 'sum', column: exact };
    }
    markUsed(reading, mention.start, mention.end);
    const { column } = best;
    const isRow =
      column.isUnique ||
      mention.columns.some((each) => each.column === table.key) ||
      (best.strength < 3 && isRowWord(reading, at));
    // What comes in several rows is counted once: the courses that somebody teaches.
    if (isRow || column.type === 'boolean') return { kind: 'count' };
    return ordering === null ? { kind: 'distinct', column } : { kind: 'count' };
  }
  takeNoun(reading, at);
  return { kind: 'count' };
}

/** `minutes of downtime`: the column of both words, each taken. */
function bestOf(reading: QuestionAnalysis, mention: Mention, _at: number) {
  markUsed(reading, mention.start, mention.end);
  return columnAt(mention, isMeasure);
}

function isRowWord({ table, words }: QuestionAnalysis, at: number): boolean {
  return table.titleWords.some(({ root }) => root === words[at]!.root);
}

/** A plural counts rows only where the table, its key or its label is called so: complaints are no rows of orders. */
function takeNoun(reading: QuestionAnalysis, at: number): void {
  const word = reading.words[at];
  if (word === undefined || reading.used[at] === true || isUnit(word.lower)) return;
  if (isRowNoun(word.root, reading.table)) markUsed(reading, at, at + 1);
}
