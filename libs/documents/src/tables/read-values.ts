import { areRelated, isFiller } from './concepts.ts';
import type { Condition } from './query.ts';
import { columnAt, namesColumn, type QuestionAnalysis, markUsed, type ValueMention } from './question-analysis.ts';
import type { Column } from './table.ts';
import { normalForm } from './words.ts';

const NEGATIONS = new Set(['not', 'except', 'excluding', 'without', 'outside', 'no', 'never', 'excluded', 'than']);

/** Conditions that come of values of cells in the question; null when it stays open which column is meant. */
export function readValueConditions(reading: QuestionAnalysis): Condition[] | null {
  const conditions: Extract<Condition, { kind: 'values' }>[] = [];
  for (const value of reading.values) {
    const column = columnOf(reading, value);
    if (column === null) return null;
    const negated = takeNegation(reading, value);
    markUsed(reading, value.start, value.end);
    takeColumnName(reading, value, column);
    const said = sayValue(reading, value);
    const same = conditions.find((one) => one.column === column && one.negated === negated);
    if (same !== undefined && !isJoined(reading, value)) return null;
    if (same === undefined) conditions.push({ kind: 'values', column, forms: new Set([value.form]), said, negated });
    else
      conditions[conditions.indexOf(same)] = {
        ...same,
        forms: new Set([...same.forms, value.form]),
        said: `${same.said} or ${said}`,
      };
  }
  return conditions;
}

/** `East or West`, `East, West and North`: the words since the value before only join the two. */
function isJoined({ words, values }: QuestionAnalysis, value: ValueMention): boolean {
  const before = values.findLast(({ end }) => end <= value.start);
  const between = words.slice(before?.end ?? 0, value.start).map(({ lower }) => lower);
  const isJoint = between.some((word) => /^(?:and|or|,|;|nor|plus)$/.test(word));
  return isJoint && between.every((word) => JOINING.test(word));
}

const JOINING = /^(?:and|or|nor|plus|,|;|the|a|an|in|at|of|from|for|by|to|with|on|both|not|either)$/;

function sayValue({ words, table }: QuestionAnalysis, { start, end, columns, form }: ValueMention): string {
  for (const { index } of columns) {
    const cell = table.rows.find((row) => normalForm(row[index]!) === form)?.[index];
    if (cell !== undefined) return cell;
  }
  return words
    .slice(start, end)
    .map(({ text }) => text)
    .join(' ');
}

/** The column whose name stands beside the value; else the only one, or the one of fewest different values. */
function columnOf(reading: QuestionAnalysis, value: ValueMention): Column | null {
  if (value.columns.length === 1) return value.columns[0]!;
  const { words } = reading;
  for (const at of [value.start - 1, value.end, value.start - 2, value.start - 3, value.end + 1]) {
    const word = words[at];
    if (word === undefined) continue;
    const named = value.columns.find(
      (column) => namesColumn(word, column) || column.words.some(({ root }) => areRelated(root, word.root)),
    );
    if (named !== undefined) return named;
  }
  return null;
}

/** `not in Berlin`, `other than Berlin`, `except Berlin`. */
function takeNegation(reading: QuestionAnalysis, { start }: ValueMention): boolean {
  for (let at = start - 1; at >= Math.max(0, start - 4); at -= 1) {
    const word = reading.words[at]!;
    if (NEGATIONS.has(word.lower)) {
      const isOther = word.lower === 'than' && reading.words[at - 1]?.lower === 'other';
      if (word.lower === 'than' && !isOther) return false;
      markUsed(reading, isOther ? at - 1 : at, at + 1);
      return true;
    }
    if (!isFiller(word.stem) && !reading.mentions.some((mention) => mention.start <= at && at < mention.end))
      return false;
  }
  return false;
}

/** The column's name beside its value asks nothing of its own: `region South`, `caused by a full disk`. */
function takeColumnName(reading: QuestionAnalysis, value: ValueMention, column: Column): void {
  const { words, mentions } = reading;
  const isLink = (at: number) =>
    /^(?:by|of|is|was|are|were|be|been|the|a|an|to|in|from|=|with|at|as|no|number|id)$/.test(words[at]!.lower);
  for (const mention of mentions) {
    const before = mention.end <= value.start && range(mention.end, value.start).every(isLink);
    const behind = mention.start === value.end;
    if (!before && !behind) continue;
    // Only a question that stops there can ask for the column.
    const own = columnAt(mention, (each) => each === column);
    const isBest =
      own !== null && mention.columns.find((each) => each.column === own)!.strength >= mention.columns[0]!.strength - 1;
    if (isBest && !isAsked(reading, mention.start)) markUsed(reading, mention.start, mention.end);
  }
}

/** `which hall`, `what customer`: asked for, whatever stands behind it. */
function isAsked({ words }: QuestionAnalysis, at: number): boolean {
  return /^(?:which|what|whose)$/.test(words[at - 1]?.lower ?? '');
}

function range(from: number, until: number): number[] {
  return Array.from({ length: Math.max(0, until - from) }, (_none, index) => from + index);
}

/** Capitalised words that no cell is, but that cells of exactly one column contain. */
export function readPartOfValue(reading: QuestionAnalysis): Condition[] {
  const { words, used, table } = reading;
  for (let start = 1; start < words.length; start += 1) {
    if (used[start] === true || !isName(words[start]!.text) || isFiller(words[start]!.stem)) continue;
    let end = start + 1;
    while (end < words.length && used[end] === false && isName(words[end]!.text)) end += 1;
    if (
      reading.mentions.some(
        (mention) => mention.start < end && start < mention.end && mention.columns[0]!.strength >= 3,
      )
    )
      continue;
    const said = words
      .slice(start, end)
      .map(({ text }) => text)
      .join(' ');
    const form = ` ${normalForm(said)} `;
    const columns = table.columns.filter(
      ({ type, index }) =>
        (type === 'text' || type === 'category') &&
        table.rows.some((row) => ` ${normalForm(row[index]!)} `.includes(form)),
    );
    if (columns.length !== 1) continue;
    markUsed(reading, start, end);
    return [{ kind: 'contains', column: columns[0]!, form, said, negated: false }];
  }
  return [];
}

function isName(text: string): boolean {
  return /^\p{Lu}[\p{L}\p{N}'’-]+$/u.test(text) || /^(?=.*\d)\p{Lu}[\p{L}\p{N}-]+$/u.test(text);
}
