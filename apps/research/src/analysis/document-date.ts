import { MONTH_NAME_PATTERN, monthOf } from '@cairn/language';

/** When a document speaks, and whether it says itself that it no longer holds. */
export interface DocumentDate {
  /** Months since the year 0; null when the document names no time. A year alone counts as its end. */
  at: number | null;
  /** As it is written: "January 2026". */
  label: string | null;
  isSuperseded: boolean;
}

const SUPERSEDED =
  /\b(?:superseded|outdated|obsolete|deprecated|no longer valid|withdrawn|replaced by|old version|archived?|out of date)\b/i;
/** Not the number of a case or a standard: `INC-2031`, `#2031`. */
const YEAR = String.raw`(?<![\d.,#])(?<!(?!FY)\p{Lu}{2}-)(?:19|20)\d{2}(?![\d.]\d|\d)`;
const MONTH_AND_YEAR = new RegExp(String.raw`\b(${MONTH_NAME_PATTERN})\.?,? ((?:19|20)\d{2})\b`, 'i');
const ISO = /\b((?:19|20)\d{2})-(\d{2})(?:-\d{2})?\b/;
const YEAR_ALONE = new RegExp(`(${YEAR})`, 'u');
const LEAD_CHARS = 400;

interface Dated {
  title: string;
  body: string;
  occurred_at?: Date | string | null | undefined;
}

/** The time that a document is of: that of its title, else of its first lines, else of its message or publication. */
export function documentDateOf({ title, body, occurred_at: occurredAt }: Dated): DocumentDate {
  const lead = `${title}\n${body.slice(0, LEAD_CHARS)}`;
  const isSuperseded = SUPERSEDED.test(title) || /\b(?:superseded|obsolete|no longer valid|withdrawn)\b/i.test(lead);
  const found =
    timeIn(title.replace(/_/g, ' ')) ??
    headLines(body)
      .map(timeIn)
      .find((time) => time !== null) ??
    null;
  if (found !== null) return { ...found, isSuperseded };
  if (occurredAt == null) return { at: null, label: null, isSuperseded };
  const date = new Date(occurredAt);
  const label = date.toISOString().slice(0, 10);
  return { at: date.getUTCFullYear() * 12 + date.getUTCMonth(), label, isSuperseded };
}

/** Lines before the text proper: "As of January 2026", "Prepared by …, February 2026". */
function headLines(body: string): string[] {
  return body
    .slice(0, LEAD_CHARS)
    .split('\n')
    .filter((line) => line.trim() !== '' && line.length < 90 && !/[.;]\s*$/.test(line))
    .slice(0, 4);
}

/** The first time that a text names. */
export function timeIn(text: string): { at: number; label: string } | null {
  const month = MONTH_AND_YEAR.exec(text);
  if (month !== null) return { at: Number(month[2]) * 12 + monthOf(month[1]!)! - 1, label: `${month[1]} ${month[2]}` };
  const iso = ISO.exec(text);
  if (iso !== null && Number(iso[2]) >= 1 && Number(iso[2]) <= 12)
    return { at: Number(iso[1]) * 12 + Number(iso[2]) - 1, label: iso[0] };
  const year = YEAR_ALONE.exec(text)?.[1];
  return year === undefined ? null : { at: Number(year) * 12 + 11, label: year };
}

/** Every year that a text names. */
export function yearsIn(text: string): number[] {
  return [...text.replace(/_/g, ' ').matchAll(new RegExp(YEAR, 'gu'))].map(([year]) => Number(year));
}
