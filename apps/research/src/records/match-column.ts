import type { PageRecord, RecordField } from './record.ts';
import { areSynonyms, labelKey, labelStems } from './synonyms.ts';

const MATCH_MIN = 0.55;
const ORIGIN_WEIGHT: Readonly<Record<RecordField['origin'], number>> = { label: 1, data: 0.98, class: 0.9, prose: 0.8 };
const BARE_YEAR = /^(?:the |their |its )?years?$/i;
/** Prose is weighted below, and still enough. */
const YEAR_SIMILARITY = 0.7;
const YEAR = /\b(?:1\d{3}|20\d{2})\b/;
const VALUE_TYPES: readonly (readonly [column: RegExp, value: RegExp])[] = [
  [
    /\b(?:year|date|born|birth|died|death|founded|established|published|released|built|opened|when)\b/i,
    /\d{3,4}|\d{1,2}[./-]\d/,
  ],
  [
    /\b(?:price|cost|fee|population|employees|pages|rating|score|stars|height|elevation|capacity|seats|area|number|isbn)\b/i,
    /\d|free|★/i,
  ],
  [/\be-?mails?\b/i, /@|\bat\b/],
  [/\b(?:phone|telephone)\b/i, /\d{3}/],
];

interface MatchedCell {
  value: string;
  confidence: number;
  field: RecordField;
}

/** The field of a record that a column asks for; null when no field fits by name and by the type of its value. */
export function cellFor(column: string, record: PageRecord): MatchedCell | null {
  let best: MatchedCell | null = null;
  for (const field of record.fields) {
    const score = Math.max(similarity(column, field.label), yearOf(column, field)) * ORIGIN_WEIGHT[field.origin];
    if (score < MATCH_MIN || score <= (best?.confidence ?? 0)) continue;
    const value = typedValue(column, field.value);
    if (value !== null) best = { value, confidence: Math.round(score * 100) / 100, field };
  }
  return best;
}

export function isNameColumn(column: string): boolean {
  return /^(?:(?:full )?names?|titles?)$/i.test(column.trim());
}

/** A column that asks for a year and not of what takes any, of its own words the rather. */
function yearOf(column: string, { value, origin }: RecordField): number {
  return BARE_YEAR.test(column) && origin !== 'class' && YEAR.test(value) ? YEAR_SIMILARITY : 0;
}

function similarity(column: string, label: string): number {
  const [one, other] = [labelKey(column), labelKey(label)];
  if (one === other) return 1;
  if (areSynonyms(column, label)) return 0.9;
  const [asked, written] = [labelStems(column), labelStems(label)];
  const shared = asked.filter((stem) => written.includes(stem)).length;
  if (shared === 0) return 0;
  return shared === Math.min(asked.length, written.length)
    ? 0.6 + 0.3 * (shared / Math.max(asked.length, written.length))
    : 0;
}

/** The value as the column asks for it: a year is taken out of a date. Null when it is of another type. */
function typedValue(column: string, value: string): string | null {
  for (const [asked, type] of VALUE_TYPES) if (asked.test(column) && !type.test(value)) return null;
  if (!/\byears?\b/i.test(column)) return value;
  return YEAR.exec(value)?.[0] ?? null;
}
