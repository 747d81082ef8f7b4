import { MONTHS } from '@cairn/language';
import { dateTermsOf } from '../../text/dates.ts';
import { tokenise } from '../../text/tokenise.ts';

/** Days, months and years that a question names, as `2026-03-14`, `2026-03`, `2026` and `-03` (a month of any year). */
export type QuestionDates = ReadonlySet<string>;

const YEAR = /^(?:19|20)\d{2}$/;
const WORDS_MAX = 256;

export function questionDates(question: string): QuestionDates {
  const words = tokenise(question, WORDS_MAX);
  const dates = new Set(dateTermsOf(words).map(({ text }) => text.replace(/^date:/, '')));
  for (const { text } of words) {
    if (YEAR.test(text)) dates.add(text);
    // `may` is a verb more often than a month; with a year beside it the analyser has found it already.
    const month = text === 'may' ? -1 : MONTHS.indexOf(text);
    if (month >= 0) dates.add(`-${String(month + 1).padStart(2, '0')}`);
  }
  return dates;
}

/** 1 when the time is on a day the question names, less for a month or a year alone, 0 for none. */
export function dateMatch(dates: QuestionDates, atMs: number): number {
  if (dates.size === 0) return 0;
  const day = new Date(atMs).toISOString().slice(0, 10);
  if (dates.has(day)) return 1;
  if (dates.has(day.slice(0, 7))) return 0.8;
  const month = dates.has(day.slice(4, 7)) ? 0.5 : 0;
  return month + (dates.has(day.slice(0, 4)) ? 0.3 : 0);
}
