import type { DateValue } from '../text/dates.ts';
import type { Validity } from '../relations/relation.ts';
import { nameWords, sameName } from './names.ts';

/** Whether two values of a relation exclude each other; `unrelated` values say nothing about each other. */
export type Comparison = 'same' | 'excluding' | 'unrelated';

/** What is known of a relation that has one value at a time. */
export interface Functional {
  kind: 'date' | 'place' | 'name';
  /** A later value follows an earlier one; two values at different times are a change. */
  changes: boolean;
}

/** Relations with at most one value at a time. Others are never compared. */
const FUNCTIONAL: ReadonlyMap<string, Functional> = new Map<string, Functional>([
  ['birth_date', { kind: 'date', changes: false }],
  ['death_date', { kind: 'date', changes: false }],
  ['founded_date', { kind: 'date', changes: false }],
  ['acquired_date', { kind: 'date', changes: false }],
  ['launch_date', { kind: 'date', changes: false }],
  ['born_in', { kind: 'place', changes: false }],
  ['died_in', { kind: 'place', changes: false }],
  ['founded_in', { kind: 'place', changes: false }],
  ['headquarters', { kind: 'place', changes: true }],
  ['capital', { kind: 'name', changes: true }],
  ['ceo', { kind: 'name', changes: true }],
  ['owned_by', { kind: 'name', changes: true }],
]);

export function functionalRelation(relation: string): Functional | undefined {
  return FUNCTIONAL.get(relation);
}

/** How far a place reaches: `wide` ones have towns in them. */
type Extent = 'wide' | 'town' | 'unknown';

/** A place with all that is needed to compare it, so that it can be stored and compared without the lists. */
export interface PlaceValue {
  text: string;
  extent: Extent;
  /** Countries, and states as "US-TX" or "GB-SCT", that it is or that have a town so called; empty for an unknown place. */
  codes: readonly string[];
  /** Other places of its sentence that it is said to lie in. */
  within: readonly string[];
}

/** True when neither can lie in the other; null when that is not known. */
export function areDisjoint(a: PlaceValue, b: PlaceValue): boolean | null {
  if (a.codes.length === 0 || b.codes.length === 0) return null;
  if (a.extent !== 'wide' && b.extent !== 'wide') return null;
  return !a.codes.some((code) => b.codes.some((other) => liesIn(code, other) || liesIn(other, code)));
}

function liesIn(code: string, country: string): boolean {
  return code === country || code.startsWith(`${country}-`);
}

export function comparePlaces(a: PlaceValue, b: PlaceValue): Comparison {
  const names = (x: PlaceValue, y: PlaceValue) => [x.text, ...x.within].some((text) => sameName(text, y.text));
  if (names(a, b) || names(b, a)) return 'same';
  if (a.extent === 'wide' && b.extent === 'wide' && a.codes[0] !== undefined && a.codes[0] === b.codes[0])
    return 'same';
  const apart = areDisjoint(a, b);
  if (apart !== null) return apart ? 'excluding' : 'unrelated';
  const wide = a.extent === 'wide';
  if (wide !== (b.extent === 'wide')) return 'unrelated';
  // "Bavaria" and "Germany": a region whose country is not known may lie in that country.
  const mayContain = (x: PlaceValue, y: PlaceValue) =>
    x.codes.length === 0 && y.codes.some((code) => !code.includes('-'));
  return wide && (mayContain(a, b) || mayContain(b, a)) ? 'unrelated' : 'excluding';
}

/** Two dates that may mean one day, at whatever precision, are the same. */
export function compareDates(a: DateValue, b: DateValue): Comparison {
  return a.from <= b.to && b.from <= a.to ? 'same' : 'excluding';
}

/** A name with its type, if that is known. */
interface Named {
  text: string;
  type: string | null;
}

/** A person is the same by the last name; things of different types are not compared. */
export function compareNamed(a: Named, b: Named): Comparison {
  if (sameName(a.text, b.text)) return 'same';
  if (a.type === 'person' && nameWords(a.text).at(-1) === nameWords(b.text).at(-1)) return 'same';
  return a.type === b.type ? 'excluding' : 'unrelated';
}

/** Which of two statements holds later; null when they do not tell themselves apart by time. Days are ISO 8601. */
export function laterOf(a: Validity, b: Validity): 'a' | 'b' | null {
  if (a.until !== undefined && b.since !== undefined && a.until <= b.since) return 'b';
  if (b.until !== undefined && a.since !== undefined && b.until <= a.since) return 'a';
  if (a.since !== undefined && b.since !== undefined && a.since !== b.since) return a.since < b.since ? 'b' : 'a';
  if (a.past === true && b.past !== true) return 'b';
  return b.past === true && a.past !== true ? 'a' : null;
}
