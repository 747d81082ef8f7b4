import { stemOf, stemsOf } from '../text/words.ts';
import { type Bound, numberOfUnit } from './bounds.ts';
import { cellFor, isNameColumn } from './match-column.ts';
import { isOrigin, originOf } from './origins.ts';
import type { PageRecord } from './record.ts';
import type { RowQuery } from './row-query.ts';
import { areSynonyms } from './synonyms.ts';

/**
 * How well a record is one of the entities asked for. `strong`: something says that it is of their kind, and it meets
 * every restriction. `weak`: it has what is asked for and nothing says of which kind it is. `other`: of another kind,
 * or it fails a restriction. `none`: the page says too little of it.
 */
export type MatchStrength = 'strong' | 'weak' | 'other' | 'none';

/** Nouns that name entities without saying much about them. */
const ANYTHING =
  /^(?:entry|entries|item|items|record|records|thing|things|page|pages|result|results|row|rows|object|objects)$/i;
const PEOPLE =
  /^(?:person|persons|people|individual|individuals|human|humans|someone|men|women|man|woman|member|members|profile|profiles|biograph(?:y|ies)|employee|employees|staff|figure|figures|personalit(?:y|ies))$/i;
/** Nouns under which others fall: whoever meets the qualifiers need not be called so. */
const BROAD =
  /^(?:player|artist|athlete|sportsm[ae]n|professional|expert|worker|official|star|performer|product|compan(?:y|ie)|business(?:e)?|organi[sz]ation|place|work|event|title|offer|article|good)s?$/i;
const PERSONAL = [
  'born',
  'nationality',
  'occupation',
  'date of birth',
  'job title',
  'given name',
  'family name',
  'spouse',
  'died',
];
const KIND_LABELS = ['occupation', 'category', 'type', 'genre', 'industry', 'kind', 'department', 'instrument'];
const ORIGIN_LABELS = ['nationality', 'citizenship'];

export function matchQuery(record: PageRecord, query: RowQuery): MatchStrength {
  const cells = query.columns.filter((column) => isNameColumn(column) || cellFor(column, record) !== null);
  const says = record.fields.length > 0 || record.summary !== '';
  if (!says && record.kinds.length === 0) return 'none';
  const asked = query.columns.filter((column) => !isNameColumn(column));
  const labelled = asked.filter((column) => {
    const origin = cellFor(column, record)?.field.origin;
    return origin !== undefined && origin !== 'prose';
  });
  const isNamed = query.kinds.some((one) => isOfKind(record, one));
  const kind = isNamed || (labelled.length > 0 && isBroadly(record, query));
  const fails = !meetsQualifiers(record, query) || !query.bounds.every((bound) => isWithin(record, bound));
  if (fails) return record.isDetail && (isNamed || labelled.length > 0) ? 'other' : 'none';
  if (kind) return cells.length > 0 || !record.isDetail || asked.length === 0 ? 'strong' : 'weak';
  const hasColumns = labelled.length > 0 && labelled.length >= asked.length / 2;
  if (query.kinds.some((one) => ANYTHING.test(one)) && hasColumns) return 'strong';
  // Its own page says all that is asked for, though in sentences.
  if (
    record.isDetail &&
    query.qualifiers.length === 0 &&
    asked.length > 0 &&
    asked.every((one) => cellFor(one, record))
  )
    return isOfAnotherKind(record, query) ? 'other' : 'weak';
  if (query.qualifiers.length > 0) return record.isDetail && hasColumns ? 'other' : 'none';
  if (record.isDetail && isOfAnotherKind(record, query)) return 'other';
  return hasColumns ? 'weak' : 'none';
}

function isOfKind(record: PageRecord, kind: string): boolean {
  const stem = stemOf(kind);
  if (PEOPLE.test(kind) && isPersonal(record)) return true;
  const own = ownKind(record);
  if (own.length > 0 && own.includes(stem)) return true;
  // A list says of its items what they are, unless they say so themselves and otherwise.
  const around = stemsOf(record.kinds.join(' '));
  return around.includes(stem);
}

/** Whether the noun asked for is one under which many fall that are called otherwise: the qualifiers decide. */
function isBroadly(record: PageRecord, query: RowQuery): boolean {
  const isBroad = query.kinds.some((kind) => BROAD.test(kind));
  return isBroad && query.qualifiers.some((word) => !isOrigin(word)) && ownKind(record).length > 0;
}

/** Whether its own page labels a person as something else than is asked for; a wide noun leaves that open. */
function isOfAnotherKind(record: PageRecord, { kinds }: RowQuery): boolean {
  if (kinds.some((kind) => BROAD.test(kind) || PEOPLE.test(kind) || ANYTHING.test(kind))) return false;
  return record.fields.some(({ label, origin, value }) => origin === 'label' && value !== '' && isOccupation(label));
}

function isOccupation(label: string): boolean {
  return label.toLowerCase() === 'occupation' || areSynonyms(label, 'occupation');
}

/** The stems of what the record itself says it is. */
function ownKind(record: PageRecord): string[] {
  const fields = record.fields.filter(({ label }) =>
    KIND_LABELS.some((one) => areSynonyms(label, one) || label.toLowerCase() === one),
  );
  return stemsOf([...fields.map(({ value }) => value), definitionOf(record)].join(' '));
}

function definitionOf({ summary }: PageRecord): string {
  return summary.slice(0, 300);
}

function isPersonal(record: PageRecord): boolean {
  if (record.kinds.some((kind) => /^(?:person|patient|profile)$/i.test(kind))) return true;
  return record.fields.some(({ label, value, origin }) => {
    if (origin === 'prose') return label === 'born';
    const property = PERSONAL.find((one) => label.toLowerCase() === one || areSynonyms(label, one));
    // Many things have a country, a title and a year.
    return (
      property !== undefined &&
      !/^(?:country|title|work|origin|year|function|address country|founded)$/i.test(label.trim()) &&
      value !== ''
    );
  });
}

function meetsQualifiers(record: PageRecord, query: RowQuery): boolean {
  if (query.qualifiers.length === 0) return true;
  const whole = stemsOf(
    [record.name, ...record.fields.map(({ value }) => value), definitionOf(record), ...record.kinds].join(' '),
  );
  const origins = record.fields.filter(
    ({ label, origin }) => origin !== 'prose' && ORIGIN_LABELS.some((one) => areSynonyms(label, one)),
  );
  const kindFields = record.fields.filter(
    ({ label, origin }) => origin !== 'prose' && KIND_LABELS.some((one) => areSynonyms(label, one)),
  );
  const kindStems = stemsOf(kindFields.map(({ value }) => value).join(' '));
  return query.qualifiers.every((word) => {
    if (isOrigin(word)) {
      const said =
        origins.length > 0
          ? origins.map(({ value }) => value).join(' ')
          : [definitionOf(record), ...record.fields.map(({ value }) => value)].join(' ');
      return originOf(word).some((form) => ` ${said.toLowerCase()} `.includes(form));
    }
    const stem = stemOf(word);
    return (
      (kindStems.length > 0 && kindStems.includes(stem)) ||
      (!isKindWord(word, query, kindStems) && whole.includes(stem))
    );
  });
}

/** Whether a word belongs to the noun, as in "reggae singers": then the kind that a record says for itself decides. */
function isKindWord(word: string, query: RowQuery, kindStems: readonly string[]): boolean {
  if (kindStems.length === 0 || /^\p{Lu}/u.test(word)) return false;
  return query.kinds.some((kind) => kindStems.includes(stemOf(kind)) || BROAD.test(kind));
}

function isWithin(record: PageRecord, bound: Bound): boolean {
  const number = numberFor(record, bound);
  if (number === null) return false;
  const { least, most } = bound;
  return (least === null || number >= least) && (most === null || number <= most);
}

function numberFor(record: PageRecord, { about, unit, isYear }: Bound): number | null {
  const labels =
    about !== ''
      ? [about]
      : isYear
        ? ['born', 'published', 'founded', 'year']
        : unit === ''
          ? ['price', 'amount']
          : [unit];
  for (const label of labels) {
    const number = numberIn(cellFor(label, record)?.value ?? '', isYear);
    if (number !== null) return number;
  }
  if (unit === '') return null;
  return record.fields.map(({ value }) => numberOfUnit(value, unit)).find((number) => number !== null) ?? null;
}

function numberIn(value: string, isYear: boolean): number | null {
  const found = isYear ? /\b\d{4}\b/.exec(value) : /\d[\d,]*(?:\.\d+)?/.exec(value);
  return found === null ? null : Number(found[0].replace(/,/g, ''));
}
