import { numberWord } from '@cairn/language';

/** A stretch of time: inclusive start, exclusive end, milliseconds since the epoch. */
export interface TimeWindow {
  gteMs: number;
  ltMs: number;
  /** The words of the question that mean it. */
  phrase: string;
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const COUNT_MAX = 1_000;

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

const RELATIVE_DAY = /\b(?:(the day before yesterday)|(yesterday|last night)|(today|this morning|tonight))\b/i;
const RELATIVE_UNIT = /\b(this|last|previous) (week|month|quarter|year)\b/i;
const LAST_WEEKDAY = /\b(?:last|on) (sunday|monday|tuesday|wednesday|thursday|friday|saturday)\b/i;
const LAST_COUNTED =
  /\b(?:in|over|during|within)?\s*(?:the )?(?:last|past) (\d{1,4}|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s?\b/i;
const AGO = /\b(\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s? ago\b/i;

/** The time that a question means by words such as “last week”, seen from the clock, in UTC; null when it means none. */
export function timeWindowOf(question: string, clockMs: number): TimeWindow | null {
  const today = startOf('day', clockMs);
  const day = RELATIVE_DAY.exec(question);
  if (day !== null) {
    const back = day[1] !== undefined ? 2 : day[2] !== undefined ? 1 : 0;
    return { gteMs: today - back * DAY_MS, ltMs: today - (back - 1) * DAY_MS, phrase: day[0] };
  }
  const unit = RELATIVE_UNIT.exec(question);
  if (unit !== null) {
    const of = unit[2]!.toLowerCase() as Unit;
    const here = startOf(of, clockMs);
    const back = unit[1]!.toLowerCase() === 'this' ? 0 : 1;
    return { gteMs: moved(here, of, -back), ltMs: moved(here, of, 1 - back), phrase: unit[0] };
  }
  const weekday = LAST_WEEKDAY.exec(question);
  if (weekday !== null) {
    const wanted = WEEKDAYS.indexOf(weekday[1]!.toLowerCase());
    const back = (new Date(today).getUTCDay() - wanted + 7) % 7 || 7;
    return { gteMs: today - back * DAY_MS, ltMs: today - (back - 1) * DAY_MS, phrase: weekday[0] };
  }
  const counted = LAST_COUNTED.exec(question);
  if (counted !== null) {
    const of = counted[2]!.toLowerCase() as Unit;
    return { gteMs: moved(clockMs, of, -countOf(counted[1]!)), ltMs: clockMs + 1, phrase: counted[0].trim() };
  }
  const ago = AGO.exec(question);
  if (ago !== null) {
    const of = ago[2]!.toLowerCase() as Unit;
    const there = startOf(of, moved(clockMs, of, -countOf(ago[1]!)));
    return { gteMs: there, ltMs: moved(there, of, 1), phrase: ago[0] };
  }
  return null;
}

function countOf(word: string): number {
  return Math.min(COUNT_MAX, numberWord(word) ?? Number(word));
}

function startOf(unit: Unit, atMs: number): number {
  const at = new Date(atMs);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  if (unit === 'year') return Date.UTC(year, 0, 1);
  if (unit === 'quarter') return Date.UTC(year, month - (month % 3), 1);
  if (unit === 'month') return Date.UTC(year, month, 1);
  const day = Date.UTC(year, month, at.getUTCDate());
  // Weeks begin on Monday (ISO 8601).
  return unit === 'week' ? day - ((at.getUTCDay() + 6) % 7) * DAY_MS : day;
}

function moved(atMs: number, unit: Unit, count: number): number {
  if (unit === 'day') return atMs + count * DAY_MS;
  if (unit === 'week') return atMs + count * 7 * DAY_MS;
  const at = new Date(atMs);
  const months = unit === 'year' ? 12 * count : unit === 'quarter' ? 3 * count : count;
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1, 0)).getUTCDate();
  at.setUTCMonth(at.getUTCMonth() + months, Math.min(at.getUTCDate(), lastDay));
  return at.getTime();
}
