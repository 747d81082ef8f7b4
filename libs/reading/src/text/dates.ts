import { MONTH_NUMBERS } from '@cairn/language';
import type { TextToken } from './tokens.ts';

/** The first and the last day that a date may mean, as ISO 8601. */
export interface DateValue {
  from: string;
  to: string;
}

/** A date in a sentence: its tokens from `from` until before `to`. */
export interface DateSpan {
  from: number;
  to: number;
  start: number;
  end: number;
  text: string;
  value: DateValue;
}

const WEEKDAYS = new Set('monday tuesday wednesday thursday friday saturday sunday'.split(' '));
const ORDINALS = new Set(['st', 'nd', 'rd', 'th']);

export function isMonthOrDay(lower: string): boolean {
  return MONTH_NUMBERS.has(lower) || WEEKDAYS.has(lower);
}

function digits(form: string, from: number, to: number): number {
  let value = 0;
  if (to <= from) return -1;
  for (let i = from; i < to; i++) {
    const digit = form.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function yearOf(form: string): number {
  if (form.length !== 4) return 0;
  const year = digits(form, 0, 4);
  return year >= 1000 && year < 2100 ? year : 0;
}

function decadeOf(form: string): number {
  return form.length === 5 && form.endsWith('s') ? yearOf(form.slice(0, 4)) : 0;
}

function dayOf(form: string): number {
  const length = form.length > 2 && ORDINALS.has(form.slice(-2).toLowerCase()) ? form.length - 2 : form.length;
  const day = length <= 2 ? digits(form, 0, length) : -1;
  return day >= 1 && day <= 31 ? day : 0;
}

const pad = (n: number, width: number) => String(n).padStart(width, '0');

function valueOf(year: number, month: number, day: number): DateValue {
  const last = month > 0 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 31;
  return {
    from: `${pad(year, 4)}-${pad(month || 1, 2)}-${pad(day || 1, 2)}`,
    to: `${pad(year, 4)}-${pad(month || 12, 2)}-${pad(day || last, 2)}`,
  };
}

interface Reading {
  to: number;
  value: DateValue;
}

/** The dates of a sentence with at least a year, from left to right. */
export function findDates(tokens: readonly TextToken[], text: string): DateSpan[] {
  const dates: DateSpan[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const reading = readDate(tokens, i);
    if (reading === null) continue;
    const { start } = tokens[i]!;
    const { end } = tokens[reading.to - 1]!;
    dates.push({ from: i, to: reading.to, start, end, text: text.slice(start, end), value: reading.value });
    i = reading.to - 1;
  }
  return dates;
}

function readDate(tokens: readonly TextToken[], i: number): Reading | null {
  const { form } = tokens[i]!;
  const first = form.charCodeAt(0);
  if (first >= 48 && first <= 57) return readNumber(tokens, i, form);
  const month = first < 128 && form.length < 10 ? (MONTH_NUMBERS.get(form.toLowerCase()) ?? 0) : 0;
  return month > 0 && form !== 'may' ? readMonth(tokens, i, month) : null;
}

function readNumber(tokens: readonly TextToken[], i: number, form: string): Reading | null {
  const form1 = tokens[i + 1]?.form ?? '';
  const year = yearOf(form);
  if (year > 0) {
    const month = form1 === '-' ? digits(tokens[i + 2]?.form ?? '', 0, (tokens[i + 2]?.form ?? '').length) : -1;
    if (month >= 1 && month <= 12 && tokens[i + 3]?.form === '-') {
      const day = dayOf(tokens[i + 4]?.form ?? '');
      if (day > 0) return { to: i + 5, value: valueOf(year, month, day) };
    }
    return form1 === '%' ? null : { to: i + 1, value: valueOf(year, 0, 0) };
  }
  const decade = decadeOf(form);
  if (decade > 0) return { to: i + 1, value: { from: `${decade}-01-01`, to: `${decade + 9}-12-31` } };
  const day = dayOf(form);
  if (day === 0) return null;
  const at = form1 === 'of' ? i + 2 : i + 1;
  const month = MONTH_NUMBERS.get((tokens[at]?.form ?? '').toLowerCase()) ?? 0;
  if (month === 0) return null;
  const after = tokens[at + 1]?.form === ',' ? at + 2 : at + 1;
  const of = yearOf(tokens[after]?.form ?? '');
  return of > 0 ? { to: after + 1, value: valueOf(of, month, day) } : null;
}

function readMonth(tokens: readonly TextToken[], i: number, month: number): Reading | null {
  const next = tokens[i + 1]?.form ?? '';
  const day = dayOf(next);
  const at = day > 0 || next === 'of' || next === ',' ? i + 2 : i + 1;
  const after = day > 0 && tokens[at]?.form === ',' ? at + 1 : at;
  const year = yearOf(tokens[after]?.form ?? '');
  return year > 0 ? { to: after + 1, value: valueOf(year, month, day) } : null;
}
