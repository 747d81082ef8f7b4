import { monthNames } from '@cairn/language';
import { LANGUAGES } from '@cairn/language/languages';
import type { IndexWord } from './word.ts';

/** Between day, month and year in the languages that put a word there. */
const FILLERS = new Set(['of', 'de', 'del', 'di', 'the']);
const DAYS_BY_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Finds dates among the words of a text and returns their terms, `date:2026-03-14` and `date:2026-03`, at the
 * place where the date starts. Reads ISO dates, `14.03.2026`, `14/03/2026` where only one order is possible,
 * and a month's name with a year and perhaps a day. Years alone are words already.
 */
export function dateTermsOf(words: readonly IndexWord[]): IndexWord[] {
  const found: IndexWord[] = [];
  const singles: IndexWord[] = [];
  for (const word of words) {
    if (word.plain || /^\p{N}+\p{L}{0,2}$/u.test(word.text)) singles.push(word);
    else if (/^\d/.test(word.text)) addDate(found, word.position, numericDate(word.text));
  }
  for (let i = 0; i < singles.length; i++) {
    const month = singles[i]!.plain ? monthOf(singles[i]!.text) : 0;
    if (month > 0) addWritten(found, singles, i, month);
  }
  return found;
}

interface PlainDate {
  year: number;
  month: number;
  day: number;
}

function addDate(found: IndexWord[], position: number, date: PlainDate | null): void {
  if (date === null || date.month < 1 || date.month > 12 || date.day > DAYS_BY_MONTH[date.month - 1]!) return;
  const month = `date:${String(date.year).padStart(4, '0')}-${String(date.month).padStart(2, '0')}`;
  if (date.day > 0) found.push({ text: `${month}-${String(date.day).padStart(2, '0')}`, plain: false, position });
  found.push({ text: month, plain: false, position });
}

function numericDate(text: string): PlainDate | null {
  const iso = /^(\d{4})[-/](\d{2})[-/](\d{2})(?!\d)/.exec(text);
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  const isoMonth = /^(\d{4})-(\d{2})$/.exec(text);
  if (isoMonth !== null) return { year: Number(isoMonth[1]), month: Number(isoMonth[2]), day: 0 };
  const other = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(text);
  if (other === null) return null;
  const [first, second, year] = [Number(other[1]), Number(other[3]), Number(other[4])];
  if (other[2] === '.' || first > 12 || first === second) return { year, month: second, day: first };
  return second > 12 ? { year, month: first, day: second } : null;
}

function addWritten(found: IndexWord[], words: readonly IndexWord[], at: number, month: number): void {
  const before = neighbour(words, at, -1);
  const after = neighbour(words, at, 1);
  const dayBefore = dayOf(before?.word);
  const dayAfter = dayOf(after?.word);
  if (dayAfter > 0) {
    const year = yearOf(neighbour(words, after!.index, 1)?.word);
    if (year > 0) return addDate(found, words[at]!.position, { year, month, day: dayAfter });
  }
  const year = yearOf(after?.word);
  if (year === 0) return;
  addDate(found, dayBefore > 0 ? before!.word.position : words[at]!.position, { year, month, day: dayBefore });
}

/** The next word in a direction, over one filler word. */
function neighbour(
  words: readonly IndexWord[],
  at: number,
  step: 1 | -1,
): { word: IndexWord; index: number } | undefined {
  let index = at + step;
  if (FILLERS.has(words[index]?.text ?? '')) index += step;
  const word = words[index];
  const distance = word === undefined ? 0 : Math.abs(word.position - words[at]!.position);
  return word === undefined || distance > 2 ? undefined : { word, index };
}

function dayOf(word: IndexWord | undefined): number {
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th|er|º|ª)?$/.exec(word?.text ?? '')?.[1] ?? 0);
  return day <= 31 ? day : 0;
}

function yearOf(word: IndexWord | undefined): number {
  return Number(/^([12]\d{3})$/.exec(word?.text ?? '')?.[1] ?? 0);
}

/** True for the words that written dates are made of beside their numbers. */
export function isOfDates(word: string): boolean {
  return FILLERS.has(word) || monthOf(word) > 0;
}

let months: Map<string, number> | null = null;

/** 1 to 12 for a month's name or usual short form in a language the analyser knows, else 0. */
function monthOf(word: string): number {
  months ??= monthNames(['en', ...LANGUAGES.keys()]);
  return months.get(word) ?? 0;
}
