import { areRelated, isFiller } from './concepts.ts';
import { type Column, createNormaliser, type Table } from './table.ts';
import { type TableWord, wordsOf } from './words.ts';

/** Words of the question that name a column; the likeliest column first. */
export interface Mention {
  start: number;
  end: number;
  columns: readonly { column: Column; strength: number }[];
}

/** Words of the question that are what cells say. */
export interface ValueMention {
  start: number;
  end: number;
  form: string;
  columns: readonly Column[];
}

/** A question over one table, and which of its words are understood. */
export interface QuestionAnalysis {
  table: Table;
  words: readonly TableWord[];
  used: boolean[];
  mentions: readonly Mention[];
  values: readonly ValueMention[];
}

const VALUE_WORDS_MAX = 10;

export function analyseQuestion(question: string, table: Table): QuestionAnalysis {
  const words = wordsOf(question);
  const used = words.map(() => false);
  const values = findValues(words, table);
  const taken = words.map((_word, at) => values.some(({ start, end }) => start <= at && at < end));
  return { table, words, used, values, mentions: findMentions(words, table, taken) };
}

export function markUsed({ used }: QuestionAnalysis, start: number, end: number): void {
  for (let at = start; at < end; at += 1) used[at] = true;
}

/** The longest runs of words that are a cell of a column, none within another. */
function findValues(words: readonly TableWord[], table: Table): ValueMention[] {
  const runs = new Map<string, { start: number; end: number }[]>();
  for (let start = 0; start < words.length; start += 1) {
    let form = '';
    for (let end = start + 1; end <= Math.min(words.length, start + VALUE_WORDS_MAX); end += 1) {
      const { stem } = words[end - 1]!;
      if (/^[,;?]$/.test(stem)) break;
      if (!/[\p{L}\p{N}]/u.test(stem)) continue;
      form = form === '' ? stem : `${form} ${stem}`;
      runs.set(form, [...(runs.get(form) ?? []), { start, end }]);
    }
  }
  const found = new Map<string, Set<Column>>();
  const normalise = createNormaliser();
  for (const column of table.columns) {
    if (column.type === 'boolean' || column.type === 'date' || (column.type === 'number' && column !== table.key))
      continue;
    for (const row of table.rows) {
      const form = normalise(row[column.index]!);
      if (runs.has(form)) found.set(form, (found.get(form) ?? new Set()).add(column));
    }
  }
  const candidates = [...found].flatMap(([form, columns]) =>
    runs.get(form)!.map((run) => ({ ...run, form, columns: [...columns] })),
  );
  candidates.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const chosen: ValueMention[] = [];
  for (const one of candidates) {
    const overlaps = chosen.some(({ start, end }) => one.start < end && start < one.end);
    if (!overlaps && isLikelyValue(one, words, table)) chosen.push(one);
  }
  return chosen.sort((a, b) => a.start - b.start);
}

/** A short or common word is a value only beside the name of its column, or written as the cell is. */
function isLikelyValue(
  { start, end, columns, form }: ValueMention,
  words: readonly TableWord[],
  table: Table,
): boolean {
  const only = words[start]!;
  if (end - start > 1) return true;
  const beside = [words[start - 1], words[end], words[start - 2]].some(
    (word, place) =>
      word !== undefined &&
      (place < 2 || isFiller(words[start - 1]!.stem)) &&
      columns.some((column) => namesColumn(word, column)),
  );
  if (beside) return true;
  if (/^[\d.,]+$/.test(only.text)) return false;
  const isCommon = form.length < 2 || isFiller(only.stem);
  if (!isCommon)
    return !table.columns.some(
      (column) => column.words.length === 1 && column.words[0]!.stem === only.stem && only.text === only.lower,
    );
  return (
    start > 0 &&
    only.text !== only.lower &&
    table.rows.some((row) => columns.some(({ index }) => row[index] === only.text))
  );
}

/** True when the word is one of the column's name, in whatever form. */
export function namesColumn(word: TableWord, column: Column): boolean {
  return column.words.some(({ stem, root }) => stem === word.stem || (root === word.root && root.length > 2));
}

/** Words of columns' names that name a column only together with others. */
const WEAK = new Set([
  'id',
  'no',
  'nr',
  'number',
  'code',
  'date',
  'name',
  'on',
  'in',
  'of',
  'the',
  'at',
  'per',
  'by',
  'for',
  'to',
  'from',
  'total',
  'is',
  'and',
  'with',
  'last',
  'first',
  'has',
  'have',
]);
const NAMING = new Set([
  'id',
  'name',
  'number',
  'code',
  'date',
  'order',
  'amount',
  'value',
  'record',
  'entry',
  'unit',
  'sum',
  'total',
  'left',
  'one',
  'figure',
  'state',
  'last',
  'first',
  'top',
]);

function strengthOf(word: TableWord, column: Column): number {
  if (isFiller(word.stem) && !NAMING.has(word.stem)) return 0;
  let best = 0;
  for (const name of column.words) {
    if (name.stem === word.stem) best = Math.max(best, WEAK.has(name.stem) ? 1.5 : 4);
    else if (name.root === word.root && name.root.length > 2) best = Math.max(best, 3);
    else if (WEAK.has(name.stem) || NAMING.has(word.stem)) continue;
    else if (name.stem.length >= 4 && word.stem.length > name.stem.length && word.stem.startsWith(name.stem))
      best = Math.max(best, 2);
    else if (areRelated(word.root, name.root)) best = Math.max(best, 1);
  }
  return best;
}

/** `the total of Cost repair` adds up, although another column is called `Cost total`. */
const COMPUTING = /^(?:total|sum|average|mean|median)$/;

function findMentions(words: readonly TableWord[], table: Table, taken: readonly boolean[]): Mention[] {
  const found: Mention[] = [];
  for (let start = 0; start < words.length;) {
    const isComputing = COMPUTING.test(words[start]!.lower) && words[start + 1]?.lower === 'of';
    const candidates = taken[start] === true || isComputing ? [] : candidatesAt(words, table, taken, start);
    const best = candidates[0];
    if (best === undefined) {
      start += 1;
      continue;
    }
    const end = withoutGeneric(words, table, taken, best.end);
    found.push({ start, end, columns: candidates.map(({ column, strength }) => ({ column, strength })) });
    start = end;
  }
  return found;
}

/** `the murder rate`, `the income level`: what stands behind the name of a column says only that it is a measure. */
function withoutGeneric(words: readonly TableWord[], table: Table, taken: readonly boolean[], end: number): number {
  const next = words[end];
  if (next === undefined || taken[end] === true || !/^(?:rates?|levels?|values?|figures?)$/.test(next.lower))
    return end;
  return table.columns.some((column) => namesColumn(next, column)) ? end : end + 1;
}

function candidatesAt(words: readonly TableWord[], table: Table, taken: readonly boolean[], start: number) {
  const candidates = table.columns.flatMap((column) => {
    let [strength, end] = [strengthOf(words[start]!, column), start + 1];
    if (strength === 0) return [];
    const matched = new Set([words[start]!.stem]);
    for (let at = end; at < Math.min(words.length, start + 6) && taken[at] !== true; at += 1) {
      const more = matched.has(words[at]!.stem) ? 0 : strengthOf(words[at]!, column);
      if (more === 0 && !/^(?:of|per|in|for|the)$/.test(words[at]!.lower)) break;
      if (more === 0) continue;
      matched.add(words[at]!.stem);
      strength += more;
      end = at + 1;
    }
    // A column whose name is said in whole comes before one of whose name a part is.
    const coverage =
      matched.size / Math.max(1, column.words.filter(({ stem }) => !WEAK.has(stem)).length || column.words.length);
    return [{ column, end, strength: strength + Math.min(1, coverage) * 0.5 + (column === table.key ? 0.3 : 0) }];
  });
  return candidates.sort((a, b) => b.strength - a.strength || a.column.index - b.column.index);
}

/** The column that a place in the question names, among those that fit; null when two of numbers do equally well. */
export function columnAt(mention: Mention | undefined, fits: (column: Column) => boolean): Column | null {
  const [best, second] = mention?.columns.filter(({ column }) => fits(column)) ?? [];
  if (best === undefined) return null;
  const isTie = second !== undefined && second.column.type === 'number' && second.strength === best.strength;
  return isTie && best.column.type === 'number' ? null : best.column;
}

export function isMeasure(column: Column): boolean {
  return column.type === 'number' && !(column.isUnique && column.index === 0);
}

/** Nearest mention, not yet understood, of a column that fits: before the place, then behind it. */
export function nearestMention(
  reading: QuestionAnalysis,
  at: number,
  fits: (column: Column) => boolean,
  reach = 6,
): Mention | undefined {
  const { mentions } = reading;
  const distance = ({ start, end }: Mention) => (start >= at ? start - at : at - end);
  return mentions
    .filter((mention) => distance(mention) <= reach && columnAt(mention, fits) !== null)
    .sort((a, b) => distance(a) - distance(b) || b.columns[0]!.strength - a.columns[0]!.strength)[0];
}
