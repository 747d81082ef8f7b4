import { monthOf } from '@cairn/language';

/** A number of an English question; null for `1.234`, which may be two. */
export function numberIn(text: string): number | null {
  if (/^[-+]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) return /^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(text) ? null : Number(text);
  if (/^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return Number(text.replaceAll(',', ''));
  if (/^[-+]?\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'));
  return /^[-+]?\d*,\d+$/.test(text) ? Number(text.replace(',', '.')) : null;
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

/** The dates of a column: days before months, or months before days, where one of its cells shows which. */
export function datesIn(cells: readonly string[]): (Period | null)[] {
  const [days, months] = [/^(?:1[3-9]|[23]\d)\/\d{1,2}\/\d{4}/, /^\d{1,2}\/(?:1[3-9]|[23]\d)\/\d{4}/].map((form) =>
    cells.some((cell) => form.test(cell)),
  );
  const first = days === months ? null : days === true ? 'day' : 'month';
  return cells.map((cell) => dateIn(cell, first));
}

const DATE_MAX_CHARS = 60;

/** A date, month or quarter as tables write it: 2025-07-11, 11.07.2025, 11 July 2025, Jul 2025, Q3 2025. */
export function dateIn(text: string, first: 'day' | 'month' | null = null): Period | null {
  if (text.length > DATE_MAX_CHARS || !/\d/.test(text)) return null;
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
    if (first !== null) return first === 'day' ? periodOf(year, b, a) : periodOf(year, a, b);
    return a === b ? periodOf(year, a, b) : null;
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

const EMPTY = new Set(['', '-', '–', '—', 'n/a', 'na', 'null', 'none', '?', 'tbd', 'unknown']);

export function isEmptyCell(text: string): boolean {
  return EMPTY.has(text.toLowerCase());
}

/** What stands for a value that is hidden, cut off, or failed to be computed. */
const MASKED = /\[\[[A-Z_]{1,40}_\d{1,9}\]\]|^[*•█#]{2,}$|^#(?:REF|VALUE|NAME|N\/A|DIV\/0|NUM|NULL)[!?]?$/;

export function isMasked(text: string): boolean {
  return MASKED.test(text);
}

const YES = new Set(['yes', 'true', 'y', 'x', '✓', '✔', 'ja', 'oui', 'sí']);
const NO = new Set(['no', 'false', 'n', '✗', '✘', 'nein', 'non']);

/** A column of yes and no; null for any other. A dash says no only where nothing else does. */
export function booleansIn(cells: readonly string[]): (boolean | null)[] | null {
  if (!cells.every((cell) => YES.has(cell.toLowerCase()) || NO.has(cell.toLowerCase()) || isEmptyCell(cell)))
    return null;
  const forms = cells.map((cell) => cell.toLowerCase());
  const isDashNo = !forms.some((form) => NO.has(form));
  return forms.map((form) =>
    YES.has(form) ? true : NO.has(form) || (isDashNo && /^[-–—]$/.test(form)) ? false : null,
  );
}
