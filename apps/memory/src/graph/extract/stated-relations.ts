import { functionalRelation, type Places, type Relation } from '@cairn/reading';
import type { EntityClass } from './entity-classes.ts';
import type { NameSpan } from './names.ts';
import { measures } from './relations.ts';
import type { Statement } from './statement.ts';
import { readValue, textValue, type Value } from './values.ts';

/** What a verb says of two names in its own word: a link with its sentence, and no fact. */
export interface OpenLink {
  subject: string;
  subjectClass: EntityClass;
  object: string;
  objectClass: EntityClass;
  type: string;
  /** 0 to 1. */
  confidence: number;
  start: number;
  end: number;
}

const ROLE_MAX_CHARS = 120;

/** The reader's relations as statements; those by the verb's own word, and wider places, are links. */
export function statementsOfRelations(
  relations: readonly Relation[],
  places: Places,
): { statements: Statement[]; links: OpenLink[] } {
  const statements: Statement[] = [];
  const links: OpenLink[] = [];
  for (const group of Map.groupBy(relations.filter(isMostSpecific), keyOf).values()) {
    const [relation, ...wider] = group as [Relation, ...Relation[]];
    links.push(...wider.flatMap(linkOf));
    if (relation.open) links.push(...linkOf(relation));
    else statements.push(...statementOf(relation, wider, places), ...priceOf(relation));
  }
  return { statements, links };
}

/** "CEO" is said again by "former CEO of Orvik Instruments" in the same sentence. */
function isMostSpecific(relation: Relation, at: number, all: readonly Relation[]): boolean {
  if (relation.relation !== 'has_role') return true;
  return !all.some((other, place) => {
    if (other.relation !== 'has_role' || other.start !== relation.start || place === at) return false;
    if (other.subject.text !== relation.subject.text) return false;
    const isPart = ` ${other.object.text} `.includes(` ${relation.object.text} `);
    return isPart && (other.object.text.length > relation.object.text.length || place < at);
  });
}

/** "In Austin, Texas": the places of one sentence and time are one value, from the narrowest to the widest. */
function keyOf(relation: Relation, at: number): string {
  const { subject, start, validity } = relation;
  const isPlace = functionalRelation(relation.relation)?.kind === 'place';
  return isPlace ? `${relation.relation} ${start} ${subject.text} ${JSON.stringify(validity)}` : String(at);
}

/** What relations by name are said of, with the types that they allow. */
export function namesOfRelations(relations: readonly Relation[]): NameSpan[] {
  return relations
    .filter(({ open }) => !open)
    .flatMap(({ subject, object }) => [subject, object])
    .filter(isNamed)
    .map(({ text, start, end, type }) => ({ text: text.replace(/\s+/g, ' '), start, end, class: type as EntityClass }));
}

function isNamed({ type }: Relation['object']): boolean {
  return type !== null && type !== 'date' && type !== 'demonym' && type !== 'amount';
}

function statementOf(relation: Relation, wider: readonly Relation[], places: Places): Statement[] {
  const { object } = relation;
  const isName = isNamed(object);
  if (!isName && object.type !== 'date' && object.text.length > ROLE_MAX_CHARS) return [];
  // "The list price is EUR 12": the name is no price.
  if (object.type !== 'date' && measures(relation.relation)) return [];
  return [
    {
      ...commonFields(relation),
      relation: relation.relation,
      text: object.text.replace(/\s+/g, ' '),
      value: valueOf(relation, wider, places),
      objectClass: isName ? (object.type as EntityClass) : null,
      confidence: relation.confidence,
    },
  ];
}

/** What all statements of the relation have in common. */
function commonFields(
  relation: Relation,
): Omit<Statement, 'relation' | 'text' | 'value' | 'objectClass' | 'confidence'> {
  const { subject, negated, start, end, validity } = relation;
  const isDated = relation.relation.endsWith('_date');
  return {
    subject: subject.text.replace(/\s+/g, ' '),
    subjectClass: subject.type as EntityClass,
    negated,
    start,
    end,
    validFrom: isDated ? null : (validity.since ?? null),
    validTo: isDated ? null : (validity.until ?? null),
    ended: validity.past === true,
  };
}

function valueOf({ relation, object }: Relation, wider: readonly Relation[], places: Places): Value {
  if (object.value !== undefined) return { kind: 'date', from: object.value.from, to: object.value.to };
  if (functionalRelation(relation)?.kind !== 'place') return textValue(object.text);
  return { kind: 'place', ...places.named([object.text, ...wider.map((each) => each.object.text)]) };
}

/** "… for $75 million": what was paid for the thing that has an owner since. */
function priceOf(relation: Relation): Statement[] {
  if (relation.relation !== 'owned_by' || relation.amount === undefined) return [];
  const { text } = relation.amount;
  const read = readValue(text);
  if (read === null || read.value.kind !== 'money') return [];
  const price = { relation: 'acquisition_price', text, value: read.value, objectClass: null };
  return [{ ...commonFields(relation), ...price, confidence: relation.confidence }];
}

function linkOf({ subject, object, relation, negated, confidence, start, end }: Relation): OpenLink[] {
  if (negated || object.type === null || subject.type === null || object.value !== undefined) return [];
  const types = { subjectClass: subject.type as EntityClass, objectClass: object.type as EntityClass };
  return [{ subject: subject.text, object: object.text, ...types, type: relation, confidence, start, end }];
}
