import { areRelated } from './concepts.ts';
import { columnAt, isMeasure, type Mention, type QuestionAnalysis, markUsed } from './question-analysis.ts';
import { numberAt } from './read-comparisons.ts';
import type { Column } from './table.ts';

/** A word that orders: which way, and by what when the word itself says so. */
interface Superlative {
  descending: boolean;
  /** The adjective in it, as columns may be named after: `long`, `cheap`. */
  adjective: string | null;
  /** Ordered from new to old, or the other way. */
  byTime?: boolean;
}

const high = { descending: true, adjective: null };
const low = { descending: false, adjective: null };
const by = (adjective: string, descending = true) => ({ descending, adjective });
const time = (descending: boolean) => ({ descending, adjective: null, byTime: true });

const SUPERLATIVES: ReadonlyMap<string, Superlative> = new Map<string, Superlative>([
  ...['highest', 'greatest', 'maximum', 'max', 'most', 'biggest', 'largest', 'top', 'best'].map(
    (word) => [word, high] as const,
  ),
  ...['lowest', 'smallest', 'minimum', 'min', 'least', 'fewest', 'bottom', 'worst'].map((word) => [word, low] as const),
  ['longest', by('long')],
  ['shortest', by('short', false)],
  ['heaviest', by('heavi')],
  ['lightest', by('light', false)],
  ['tallest', by('tall')],
  ['cheapest', by('cheap', false)],
  ['priciest', by('expensive')],
  ['costliest', by('expensive')],
  ['fastest', by('fast')],
  ['slowest', by('slow', false)],
  ['hottest', by('hot')],
  ['warmest', by('warm')],
  ['coldest', by('cold', false)],
  ['deepest', by('deep')],
  ['widest', by('wide')],
  ['farthest', by('far')],
  ['oldest', { descending: true, adjective: 'old', byTime: true }],
  ['youngest', { descending: false, adjective: 'young', byTime: true }],
  ['newest', time(true)],
  ['latest', time(true)],
  ['earliest', time(false)],
]);

export interface Ordering {
  descending: boolean;
  column: Column | null;
  /** Where the word stands. */
  start: number;
  end: number;
}

/** The superlative of the question and the column that it orders by; `unclear` when there is one without a column. */
export function readOrdering(reading: QuestionAnalysis): Ordering | 'unclear' | null {
  const { words, used } = reading;
  const at = words.findIndex((word, place) => used[place] === false && SUPERLATIVES.has(word.lower));
  if (at < 0) return null;
  const found = SUPERLATIVES.get(words[at]!.lower)!;
  let [ordering, end] = [found, at + 1];
  const next = words[end];
  // `most expensive`, `best paid`: the next word says by what.
  if (next !== undefined && found.adjective === null && isAdjective(next.lower)) {
    const isRecent = /^(?:recent|recently)$/.test(next.lower);
    ordering = isRecent ? time(found.descending) : turned(found, next.root);
    end += 1;
  }
  markUsed(reading, at, end);
  const column = orderColumn(reading, ordering, at, end);
  if (column === 'unclear') return 'unclear';
  const isOldestByDate = ordering.byTime === true && ordering.adjective !== null && column?.type === 'date';
  // The oldest has the earliest date.
  const descending = isOldestByDate ? !ordering.descending : ordering.descending;
  takeDirection(reading, end);
  return { descending, column, start: at, end };
}

function isAdjective(lower: string): boolean {
  return /^(?:expensive|costly|paid|recent|recently|populous|populated|profitable|powerful|visited|attended|rated|valuable)$/.test(
    lower,
  );
}

function turned(found: Superlative, root: string): Superlative {
  return { descending: found.descending, adjective: root };
}

function orderColumn(
  reading: QuestionAnalysis,
  ordering: Superlative,
  start: number,
  end: number,
): Column | null | 'unclear' {
  const { table, mentions, used } = reading;
  const isDate = ({ type }: Column) => type === 'date';
  if (ordering.byTime === true) {
    const named = mentions.find(
      (mention) =>
        columnAt(mention, isDate) !== null && mention.columns[0]!.strength >= 3 && used[mention.start] === false,
    );
    const age =
      ordering.adjective === null
        ? []
        : table.columns.filter((column) => isMeasure(column) && relatesTo(column, ordering.adjective!));
    const dates = table.columns.filter(isDate);
    const column =
      (dates.length > 1 ? columnAt(named, isDate) : null) ??
      (age.length === 1 ? age[0]! : null) ??
      (dates.length === 1 ? dates[0]! : null) ??
      yearColumn(table.columns);
    if (named !== undefined && column !== null) markUsed(reading, named.start, named.end);
    return column ?? 'unclear';
  }
  if (ordering.adjective !== null) {
    const adjective = ordering.adjective;
    const columns = table.columns.filter((column) => isMeasure(column) && relatesTo(column, adjective));
    const [first] = columns;
    const named = mentions.find(
      (mention) => used[mention.start] === false && columns.includes(mention.columns[0]!.column),
    );
    if (named !== undefined) markUsed(reading, named.start, named.end);
    return columns.length === 1 ? first! : (columnAt(named, (column) => columns.includes(column)) ?? 'unclear');
  }
  const behind = mentions.find(
    (mention) =>
      mention.start >= end && mention.start <= end + 3 && used[mention.start] === false && namesMeasure(mention),
  );
  const around =
    behind ??
    mentions.find(
      (mention) =>
        mention.end <= start && mention.start >= start - 4 && used[mention.start] === false && namesMeasure(mention),
    ) ??
    mentions.find((mention) => mention.start > end && used[mention.start] === false && namesMeasure(mention));
  if (around === undefined) return null;
  markUsed(reading, around.start, around.end);
  return columnAt(around, isMeasure);
}

function yearColumn(columns: readonly Column[]): Column | null {
  return columns.find((column) => isMeasure(column) && column.words.some(({ stem }) => stem === 'year')) ?? null;
}

function namesMeasure(mention: Mention): boolean {
  const best = mention.columns[0]!;
  return columnAt(mention, isMeasure) !== null && (isMeasure(best.column) || best.strength < 3);
}

function relatesTo(column: Column, root: string): boolean {
  return (
    column.words.some((word) => areRelated(word.root, root)) ||
    (/^(?:€|\$|£|EUR|USD|GBP|CHF)$/.test(column.unit) &&
      areRelated('price', root) &&
      column.words.some((word) => areRelated(word.root, 'pric')))
  );
}

/** `highest first`, `in descending order`: says again what is known. */
function takeDirection(reading: QuestionAnalysis, from: number): void {
  const { words, used } = reading;
  for (let at = from; at < words.length; at += 1) {
    if (used[at] === true || !SUPERLATIVES.has(words[at]!.lower)) continue;
    const end = isAdjective(words[at + 1]?.lower ?? '') ? at + 2 : at + 1;
    if (words[end]?.lower === 'first') markUsed(reading, at, end + 1);
  }
}

const LIMIT_MAX = 100;

/** How many are asked for: `the three highest`, `top 5`. */
export function readLimit(reading: QuestionAnalysis): number | null {
  for (let at = 0; at < reading.words.length; at += 1) {
    const number = reading.used[at] === true ? null : numberAt(reading, at);
    if (number === null || !Number.isInteger(number.value) || number.value < 1 || number.value > LIMIT_MAX) continue;
    markUsed(reading, at, number.end);
    return number.value;
  }
  return null;
}
