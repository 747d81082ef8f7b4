import { numberWord, SCALES } from '@cairn/language';
import { numberIn } from './cell.ts';
import { areRelated } from './concepts.ts';
import type { Condition } from './query.ts';
import { comparatorAt } from './comparators.ts';
import { columnOfUnit, isUnit } from './compared-unit.ts';
import { columnAt, isMeasure, nearestMention, type QuestionAnalysis, markUsed } from './question-analysis.ts';
import type { Column } from './table.ts';

interface FoundNumber {
  value: number;
  end: number;
}

const SCALED = /^([\d.,]+)(k|m|mio|bn)$/i;

/** A number with the sign of its currency and its scale: `€ 50`, `50k`, `2 million`. */
export function numberAt({ words }: QuestionAnalysis, at: number): FoundNumber | null {
  const start = /^[€$£]$/.test(words[at]?.text ?? '') ? at + 1 : at;
  const word = words[start];
  if (word === undefined) return null;
  const scaled = SCALED.exec(word.text);
  const plain =
    scaled === null
      ? /^[-+\d]/.test(word.text) && !/\p{L}/u.test(word.text)
        ? numberIn(word.text)
        : numberWord(word.lower)
      : numberIn(scaled[1]!);
  if (plain === null || word.lower === 'a' || word.lower === 'an') return null;
  const scale = scaled === null ? 1 : (SCALES.get(scaled[2]!.toLowerCase()) ?? 1);
  const next = SCALES.get(words[start + 1]?.lower ?? '');
  const isScaled = next !== undefined && (words[start + 1]?.lower.length ?? 0) > 2;
  return { value: plain * scale * (isScaled ? next : 1), end: start + (isScaled ? 2 : 1) };
}

/** Comparisons with numbers and between columns. Null when one is there and its column is not clear. */
export function readComparisons(reading: QuestionAnalysis): Condition[] | null {
  const { words, used } = reading;
  const found: Condition[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (used[at] === true) continue;
    const read = words[at]!.lower === 'between' ? betweenAt(reading, at) : comparisonAt(reading, at);
    if (read === 'unclear') return null;
    found.push(...read);
  }
  const plain = readEqualNumbers(reading);
  return [...found, ...plain];
}

type Read = Condition[] | 'unclear';

function betweenAt(reading: QuestionAnalysis, at: number): Read {
  const low = numberAt(reading, at + 1);
  if (low === null) return [];
  const skip = unitEnd(reading, low.end);
  if (reading.words[skip]?.lower !== 'and') return [];
  const high = numberAt(reading, skip + 1);
  if (high === null || isYear(low.value, high.value)) return [];
  const column = columnOfUnit(comparedColumn(reading, at, high.end, null), reading, high.end);
  if (column === null) return 'unclear';
  markUsed(reading, at, unitEnd(reading, high.end));
  return [
    { kind: 'number', column, comparison: '>=', value: low.value },
    { kind: 'number', column, comparison: '<=', value: high.value },
  ];
}

export function isYear(...values: number[]): boolean {
  return values.every((value) => Number.isInteger(value) && value >= 1900 && value <= 2100);
}

function comparisonAt(reading: QuestionAnalysis, at: number): Read {
  const comparator = comparatorAt(reading, at);
  if (comparator === null) return orMoreAt(reading, at);
  const { words, mentions } = reading;
  const behind = skipArticles(reading, comparator.end);
  const number = numberAt(reading, behind);
  if (number !== null) {
    const column = columnOfUnit(comparedColumn(reading, at, number.end, comparator.adjective), reading, number.end);
    if (column === null) return 'unclear';
    markUsed(reading, at, unitEnd(reading, number.end));
    return [{ kind: 'number', column, comparison: comparator.comparison, value: number.value }];
  }
  const mention = mentions.find(({ start }) => start === behind);
  const other = columnAt(mention, isMeasure);
  // `under the flag of` and `over the year` compare nothing; `more than` always does.
  const isPlace =
    /^(?:over|above|below|under|beneath|up|exactly)$/.test(words[at]!.lower) && words[behind]?.lower !== 'average';
  if (mention === undefined || other === null) return isPlace ? [] : 'unclear';
  const column = comparedWith(reading, at, other);
  if (column === null) return 'unclear';
  markUsed(reading, at, mention.end);
  return [{ kind: 'columns', column, comparison: comparator.comparison, other }];
}

/** `5 or more`. */
function orMoreAt(reading: QuestionAnalysis, at: number): Condition[] {
  const number = numberAt(reading, at);
  if (number === null || reading.words[number.end]?.lower !== 'or') return [];
  const side = reading.words[number.end + 1]?.lower ?? '';
  const comparison = /^(?:more|above|over|higher)$/.test(side)
    ? '>='
    : /^(?:less|fewer|below|lower|under)$/.test(side)
      ? '<='
      : null;
  const column =
    comparison === null ? null : columnOfUnit(comparedColumn(reading, at, number.end + 2, null), reading, number.end);
  if (comparison === null || column === null) return [];
  markUsed(reading, at, unitEnd(reading, number.end + 2));
  return [{ kind: 'number', column, comparison, value: number.value }];
}

function skipArticles({ words }: QuestionAnalysis, at: number): number {
  let place = at;
  while (/^(?:the|their|its|a|an|his|her)$/.test(words[place]?.lower ?? '')) place += 1;
  return place;
}

function unitEnd({ words, mentions }: QuestionAnalysis, at: number): number {
  if (!isUnit(words[at]?.lower ?? '')) return at;
  return mentions.find(({ start }) => start === at)?.end ?? at + 1;
}

const CURRENCIES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries<RegExp>({ '€': /^(?:€|eur)/i, $: /^(?:\$|usd)/i, '£': /^(?:£|gbp)/i }),
);

/** The column that a number is compared with: named behind it or before it, by its unit, by the adjective, or the only one. */
function comparedColumn(
  reading: QuestionAnalysis,
  start: number,
  end: number,
  adjective: string | null,
): Column | null {
  const { words, mentions, table, used } = reading;
  const measures = table.columns.filter(isMeasure);
  if (adjective !== null)
    return onlyOf(
      measures.filter((column) => column.words.some(({ root }) => areRelated(root, adjective))),
      words[end]?.root,
    );
  const behind = mentions.find(
    (mention) => mention.start >= end && mention.start <= end + 1 && used[mention.start] === false,
  );
  const before = mentions.findLast(
    (mention) =>
      mention.end <= start &&
      mention.end >= start - 3 &&
      used[mention.start] === false &&
      columnAt(mention, isMeasure) !== null,
  );
  for (const mention of [behind, before]) {
    const column = columnAt(mention, isMeasure);
    if (mention === undefined || column === null) continue;
    for (const one of [behind, before])
      if (columnAt(one, (each) => each === column) !== null) markUsed(reading, one!.start, one!.end);
    return column;
  }
  const sign = [words[end]?.text, words[end - 1]?.text, words[end - 2]?.text].find(
    (text) => text !== undefined && CURRENCIES.has(text),
  );
  if (sign !== undefined) return onlyOf(measures.filter(({ unit }) => CURRENCIES.get(sign)!.test(unit)));
  const unit = words[end]?.lower ?? '';
  if (isUnit(unit)) {
    const named = measures.filter(
      (column) => column.unit.toLowerCase() === unit || column.unit.toLowerCase().startsWith(unit.slice(0, 3)),
    );
    if (named.length > 0) return onlyOf(named);
  }
  const near = nearestMention(reading, start, isMeasure, 4);
  if (near !== undefined && used[near.start] === false) {
    markUsed(reading, near.start, near.end);
    return columnAt(near, isMeasure);
  }
  return onlyOf(measures);
}

function onlyOf(columns: readonly Column[], root?: string): Column | null {
  if (columns.length > 1 && root !== undefined) {
    const named = columns.filter((column) => column.words.some((word) => word.root === root));
    if (named.length === 1) return named[0]!;
  }
  return columns.length === 1 ? columns[0]! : null;
}

/** What is below its level: the other column of whole numbers, when one is named or only one is there. */
function comparedWith(reading: QuestionAnalysis, at: number, other: Column): Column | null {
  const fits = (column: Column) => isMeasure(column) && column !== other;
  const named = reading.mentions.findLast(
    (mention) => mention.end <= at && columnAt(mention, fits) !== null && mention.columns[0]!.strength >= 3,
  );
  if (named !== undefined) {
    markUsed(reading, named.start, named.end);
    return columnAt(named, fits);
  }
  const isWhole = ({ numbers }: Column) => numbers.every((number) => number === null || Number.isInteger(number));
  const candidates = reading.table.columns.filter(
    (column) => fits(column) && isWhole(column) === isWhole(other) && column.unit === other.unit,
  );
  return onlyOf(candidates);
}

/** `severity 3`, `employee 2003`: a number right behind the name of its column. */
function readEqualNumbers(reading: QuestionAnalysis): Condition[] {
  const found: Condition[] = [];
  for (const mention of reading.mentions) {
    const { start, end } = mention;
    const link = /^(?:is|of|=|was|no|number)$/.test(reading.words[end]?.lower ?? '') ? end + 1 : end;
    const number = reading.used[link] === true || reading.used[start] === true ? null : numberAt(reading, link);
    const column = columnAt(mention, ({ type, words }) => type === 'number' && words.length > 0);
    if (number === null || column === null || mention.columns[0]!.column !== column) continue;
    if (!column.numbers.includes(number.value)) continue;
    markUsed(reading, start, number.end);
    found.push({ kind: 'number', column, comparison: '=', value: number.value });
  }
  return found;
}
