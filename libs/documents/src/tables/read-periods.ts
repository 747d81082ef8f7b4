import { monthOf } from '@cairn/language';
import { dateIn, type Period, periodOf, quarterOf } from './cell.ts';
import type { Condition } from './query.ts';
import { isYear } from './read-comparisons.ts';
import { columnAt, type QuestionAnalysis, markUsed } from './question-analysis.ts';
import type { Column } from './table.ts';

interface FoundPeriod {
  period: Period | null;
  /** A month of any year. */
  month: number;
  start: number;
  end: number;
}

const ORDINALS: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({ first: 1, second: 2, third: 3, fourth: 4 }),
);

function periodAt({ words }: QuestionAnalysis, at: number): FoundPeriod | null {
  const lower = (offset: number) => words[at + offset]?.lower ?? '';
  const found = (length: number, period: Period | null) =>
    period === null ? null : { period, month: 0, start: at, end: at + length };
  const year = (offset: number) => (/^(?:19|20)\d\d$/.test(lower(offset)) ? Number(lower(offset)) : 0);
  const comma = (offset: number) => (lower(offset) === ',' ? offset + 1 : offset);
  const of = (offset: number) => (lower(offset) === 'of' ? offset + 1 : offset);
  if (/^\d{4}-\d{1,2}(?:-\d{1,2})?$|^\d{1,2}\.\d{1,2}\.\d{4}$/.test(lower(0))) return found(1, dateIn(lower(0)));
  const quarter = /^q([1-4])$/.exec(lower(0))?.[1] ?? (lower(1) === 'quarter' ? ORDINALS.get(lower(0)) : undefined);
  if (quarter !== undefined) {
    const place = of(lower(1) === 'quarter' ? 2 : 1);
    return year(place) === 0 ? null : found(place + 1, quarterOf(year(place), Number(quarter)));
  }
  const day = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(lower(0))?.[1];
  if (day !== undefined && monthAt(words[at + 1]?.text) > 0 && year(2) > 0)
    return found(3, periodOf(year(2), monthOf(lower(1)), Number(day)));
  const month = monthAt(words[at]?.text);
  if (month > 0) {
    const dayBehind = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(lower(1))?.[1];
    if (dayBehind !== undefined && year(comma(2)) > 0)
      return found(comma(2) + 1, periodOf(year(comma(2)), month, Number(dayBehind)));
    if (year(of(1)) > 0) return found(of(1) + 1, periodOf(year(of(1)), month));
    return { period: null, month, start: at, end: at + 1 };
  }
  return year(0) > 0 ? found(1, periodOf(year(0))) : null;
}

/** Only a capitalised word of a sentence is a month: `may` is none. */
function monthAt(text: string | undefined): number {
  return text !== undefined && /^\p{Lu}\p{Ll}{2,}$/u.test(text) ? monthOf(text) : 0;
}

type Side = 'before' | 'after' | 'since' | 'until';

const SIDES: ReadonlyMap<string, Side> = new Map(
  Object.entries<Side>({
    before: 'before',
    after: 'after',
    since: 'since',
    until: 'until',
    till: 'until',
    by: 'until',
  }),
);

/** A month in the name of a column, such as `kwh_january`. */
function isOfName({ mentions, words }: QuestionAnalysis, at: number): boolean {
  return mentions.some(
    ({ start, end, columns }) =>
      start <= at && at < end && columns[0]!.column.words.some(({ stem }) => stem === words[at]!.stem),
  );
}

/** Conditions on time. Null when a time is said and no column fits it. */
export function readPeriods(reading: QuestionAnalysis): Condition[] | null {
  const found: Condition[] = [];
  for (let at = 0; at < reading.words.length; at += 1) {
    const first = reading.used[at] === true ? null : periodAt(reading, at);
    if (first === null || isOfName(reading, at)) continue;
    const joint = reading.words[first.end]?.lower ?? '';
    const opening = reading.words[at - 1]?.lower ?? '';
    const isRange =
      (opening === 'between' && joint === 'and') || (opening === 'from' && /^(?:to|until|till|through)$/.test(joint));
    const last = isRange ? periodAt(reading, first.end + 1) : null;
    const column = timeColumn(reading, at);
    if (column === null) return null;
    const end = last?.end ?? first.end;
    const said = reading.words
      .slice(at, end)
      .map(({ text }) => text)
      .join(' ');
    const side = SIDES.get(opening);
    if (first.period === null) {
      if (column.type !== 'date' || side !== undefined || last !== null) return null;
      found.push({ kind: 'month', column, month: first.month, said });
    } else {
      const until = last?.period?.until ?? first.period.until;
      found.push(
        ...timeCondition(
          column,
          sided({ from: first.period.from, until }, side),
          side === undefined ? said : `${side} ${said}`,
        ),
      );
    }
    markUsed(reading, side === undefined && !isRange ? at : at - 1, end);
    at = end - 1;
  }
  return found;
}

function sided({ from, until }: Period, side: Side | undefined): Period {
  if (side === 'before') return { from: -Infinity, until: from };
  if (side === 'after') return { from: until, until: Infinity };
  if (side === 'since') return { from, until: Infinity };
  return side === 'until' ? { from: -Infinity, until } : { from, until };
}

function timeCondition(column: Column, period: Period, said: string): Condition[] {
  if (column.type === 'date') return [{ kind: 'period', column, period, said }];
  const year = (days: number) => new Date(days * 86_400_000).getUTCFullYear();
  const [from, until] = [
    Number.isFinite(period.from) ? year(period.from) : null,
    Number.isFinite(period.until) ? year(period.until - 1) : null,
  ];
  if (from !== null && from === until) return [{ kind: 'number', column, comparison: '=', value: from }];
  return [
    ...(from === null ? [] : [{ kind: 'number', column, comparison: '>=', value: from } as const]),
    ...(until === null ? [] : [{ kind: 'number', column, comparison: '<=', value: until } as const]),
  ];
}

/** The column of dates, or of years, that is meant: the only one, or the one that is named next to the time. */
function timeColumn(reading: QuestionAnalysis, at: number): Column | null {
  const isYears = ({ type, numbers }: Column) =>
    type === 'number' &&
    numbers.every(
      (value) => value === null || isYear(value) || (Number.isInteger(value) && value >= 1000 && value <= 2100),
    );
  const beside = reading.mentions.findLast((mention) => mention.end <= at && mention.end >= at - 3);
  const years = beside === undefined ? undefined : beside.columns[0]!;
  if (beside !== undefined && years !== undefined && isYears(years.column)) {
    markUsed(reading, beside.start, beside.end);
    return years.column;
  }
  const dates = reading.table.columns.filter(({ type }) => type === 'date');
  const columns = dates.length > 0 ? dates : reading.table.columns.filter(isYears);
  const near = reading.mentions.findLast(
    (mention) =>
      mention.end <= at &&
      columnAt(mention, (column) => columns.includes(column)) !== null &&
      (columns.length > 1 || columns.includes(mention.columns[0]!.column)),
  );
  const named = columnAt(near, (column) => columns.includes(column));
  if (near !== undefined && named !== null && (columns.length > 1 || named === near.columns[0]!.column)) {
    if (near.end >= at - 3) markUsed(reading, near.start, near.end);
    return named;
  }
  return columns.length === 1
    ? columns[0]!
    : (columns.find(({ words }) => words.some(({ stem }) => stem === 'date')) ?? null);
}
