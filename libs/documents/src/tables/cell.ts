import { monthOf } from '@cairn/text';

/** What a cell says besides its text; null for what it is not. */
export function numberIn(text: string): number | null {
  const plain = text
    .trim()
    .replace(/^(?:[€$£¥]|[A-Z]{3} )\s?/, '')
    .replace(/\s?(?:[€$£¥%]|[A-Za-z²³°µ]{1,6})$/, '')
    .replace('−', '-');
  if (!/^[-+]?\d/.test(plain) && !/^[-+]?[.,]\d/.test(plain)) return null;
  return plainNumber(plain);
}

const GROUPED_ENGLISH = /^[-+]?\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})+(?:\.\d+)?$/;
const GROUPED_EUROPEAN = /^[-+]?\d{1,3}(?:[. \u00a0\u202f]\d{3})+(?:,\d+)?$/;

function plainNumber(text: string): number | null {
  if (/^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{1,3})?$/.test(text)) return Number(text);
  if (GROUPED_ENGLISH.test(text)) return Number(text.replace(/[,'’ \u00a0\u202f]/g, ''));
  if (GROUPED_EUROPEAN.test(text)) return Number(text.replace(/[. \u00a0\u202f]/g, '').replace(',', '.'));
  if (/^[-+]?\d*,\d+$/.test(text)) return Number(text.replace(',', '.'));
  return null;
}

/** Days from `from` up to, and without, `until`; in days since 1970. */
export interface Period {
  from: number;
  until: number;
}

const DAY_MS = 86_400_000;

export function periodOf(year: number, month = 0, day = 0): Period | null {
  if (year < 1000 || year > 2999 || month > 12 || day > 31) return null;
  const at = (y: number, m: number, d: number) => Date.UTC(y, m, d) / DAY_MS;
  if (month === 0) return { from: at(year, 0, 1), until: at(year + 1, 0, 1) };
  if (day === 0) return { from: at(year, month - 1, 1), until: at(year, month, 1) };
  const from = at(year, month - 1, day);
  // The 31st of a month with 30 days is no date.
  return new Date(from * DAY_MS).getUTCMonth() === month - 1 ? { from, until: from + 1 } : null;
}

export function quarterOf(year: number, quarter: number): Period | null {
  const [first, last] = [periodOf(year, quarter * 3 - 2), periodOf(year, quarter * 3)];
  return first === null || last === null ? null : { from: first.from, until: last.until };
}

/** A date, month or quarter as tables write it: 2025-07-11, 11.07.2025, 11 July 2025, Jul 2025, Q3 2025. */
export function dateIn(text: string): Period | null {
  const plain = text.trim().replace(/[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z| ?UTC|[+-]\d{2}:?\d{2})?$/, '');
  if (plain.length > 24) return null;
  const iso = /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?$/.exec(plain);
  if (iso !== null) return Number(iso[2]) === 0 ? null : periodOf(Number(iso[1]), Number(iso[2]), Number(iso[3] ?? 0));
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(plain);
  if (dotted !== null) return periodOf(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]));
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(plain);
  if (slashed !== null) {
    const [a, b, year] = [Number(slashed[1]), Number(slashed[2]), Number(slashed[3])];
    // Only what cannot be meant otherwise is read.
    return a > 12 ? periodOf(year, b, a) : b > 12 || a === b ? periodOf(year, a, b) : null;
  }
  const quarter = /^(?:Q([1-4])[ /-]?(\d{4})|(\d{4})[ /-]?Q([1-4]))$/i.exec(plain);
  if (quarter !== null) return quarterOf(Number(quarter[2] ?? quarter[3]), Number(quarter[1] ?? quarter[4]));
  return namedDate(plain);
}

function namedDate(text: string): Period | null {
  const parts = text.split(/[ ,.-]+/).filter((part) => part !== '');
  const month = parts.findIndex((part) => monthOf(part) > 0);
  if (month < 0 || parts.length > 3) return null;
  const numbers = parts
    .filter((_part, index) => index !== month)
    .map((part) => /^(\d{1,4})(?:st|nd|rd|th)?$/.exec(part)?.[1]);
  if (numbers.some((part) => part === undefined)) return null;
  const [year, day] = [numbers.find((part) => part!.length === 4), numbers.find((part) => part!.length <= 2)];
  if (year === undefined || (numbers.length === 2 && day === undefined)) return null;
  return periodOf(Number(year), monthOf(parts[month]!), Number(day ?? 0));
}

const YES = new Set(['yes', 'true', 'y', 'x', '✓', '✔', 'ja', 'oui', 'sí']);
const NO = new Set(['no', 'false', 'n', '-', '✗', '✘', 'nein', 'non']);

export function booleanIn(text: string): boolean | null {
  const plain = text.trim().toLowerCase();
  return YES.has(plain) ? true : NO.has(plain) ? false : null;
}
