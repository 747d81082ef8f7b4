import { stemsOf } from '../text/words.ts';
import { type ClassTerm, readClassPhrase } from './class-phrase.ts';
import type { RequestedColumn } from './requested-columns.ts';
import type { Candidate } from './entity-resolution.ts';
import type { Fact, ProfileQuote } from './profile.ts';

/** The value of one column of a row, and what says so. */
export interface FilledCell {
  column: string;
  value: string;
  confidence: number;
  evidence: ProfileQuote[];
}

const EVIDENCE_MAX = 3;
const VALUES_MAX = 4;
/** Facts that a column may be filled from when none of its own is known, nearest first. */
const INSTEAD: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    nationality: ['origin', 'country', 'birth_place'],
    headquarters: ['location'],
    location: ['headquarters', 'origin'],
    birth_place: ['origin'],
    founded: ['open:begin_date', 'open:start_date', 'open:open_date', 'said:launch_date'],
    team: ['employer'],
    employer: ['team'],
    role: ['class'],
    industry: ['class'],
    known_for: ['open:know_for'],
    party: ['team'],
  }),
);
/** Of these an entity has one: the best is shown alone. */
const SINGLE = new Set(['birth_date', 'death_date', 'founded', 'employees', 'known_for', 'birth_place']);
const CONFIDENT = 0.5;

/** The columns asked for, each with the values that facts state; a column that nothing states is left out. */
export function fillColumns(candidate: Candidate, columns: readonly RequestedColumn[]): FilledCell[] {
  return columns.flatMap((column) => fill(candidate, column) ?? []);
}

function fill(candidate: Candidate, { name, attribute }: RequestedColumn): FilledCell | null {
  const kinds = attribute === null ? [] : [attribute, ...(INSTEAD.get(attribute) ?? [])];
  const sets = kinds.map((kind) => candidate.facts.filter((fact) => fact.kind === kind));
  const known = sets.find((facts) => facts.length > 0) ?? byWords(candidate, name);
  const facts = known.filter(({ confidence }) => confidence >= CONFIDENT).toSorted(best);
  if (facts.length === 0) return null;
  const first = facts[0]!;
  const isClass = first.kind === 'class';
  const values = (isClass ? facts.filter(({ quote }) => sameQuote(quote, first.quote)) : facts).flatMap(({ value }) =>
    isClass ? readClassPhrase(value).terms.map(termText) : [value.trim()],
  );
  const single = SINGLE.has(attribute ?? '');
  const shown = distinct(values).slice(0, single ? 1 : VALUES_MAX);
  const used = facts.filter(({ value }) => isClass || shown.some((one) => one.includes(value.trim())));
  const quotes = used.map(({ quote }) => quote);
  return {
    column: name,
    value: shown.join(isClass || !single ? ', ' : ''),
    confidence: first.confidence,
    evidence: quotes
      .filter((quote, at) => quotes.findIndex((one) => sameQuote(one, quote)) === at)
      .slice(0, EVIDENCE_MAX),
  };
}

/** Surest first; among equals the more exact, which is the longer for dates. */
function best(a: Fact, b: Fact): number {
  const bySurety = Number(b.current) - Number(a.current) || Math.round((b.confidence - a.confidence) * 5);
  return bySurety || (/\d/.test(a.value) ? b.value.length - a.value.length : 0);
}

function termText({ words, past }: ClassTerm): string {
  return `${past ? 'former ' : ''}${words.join(' ')}`;
}

function sameQuote(one: ProfileQuote, other: ProfileQuote): boolean {
  return one.source_id === other.source_id && one.start === other.start;
}

/** Facts whose relation or label shares its words with the column: "label" for `said:record_label`. */
function byWords({ facts }: Candidate, name: string): Fact[] {
  const wanted = stemsOf(name);
  if (wanted.length === 0) return [];
  return facts.filter(({ kind }) => {
    const stems = stemsOf(kind.replace(/^(?:open|said|field):/, '').replaceAll('_', ' '));
    return (
      wanted.every((stem) => stems.includes(stem)) || (stems.length > 0 && stems.every((stem) => wanted.includes(stem)))
    );
  });
}

/** Values that are not part of one that is shown already. */
function distinct(values: readonly string[]): string[] {
  const shown: string[] = [];
  for (const value of values)
    if (!shown.some((one) => ` ${one.toLowerCase()} `.includes(` ${value.toLowerCase()} `))) shown.push(value);
  return shown;
}
