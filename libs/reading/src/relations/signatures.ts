import type { Argument } from './relation.ts';

/** What a relation's subject or object cannot be. A name of type "other" may be anything. */
interface Signature {
  subject: string;
  object: string;
}

const OF_PERSON = 'place organisation';
const OF_ORGANISATION = 'person place';
const SIGNATURES: ReadonlyMap<string, Signature> = new Map(
  Object.entries<Signature>({
    birth_date: { subject: OF_PERSON, object: '' },
    death_date: { subject: OF_PERSON, object: '' },
    born_in: { subject: OF_PERSON, object: 'person' },
    died_in: { subject: OF_PERSON, object: 'person' },
    nationality: { subject: OF_PERSON, object: '' },
    spouse: { subject: OF_PERSON, object: OF_PERSON },
    child_of: { subject: OF_PERSON, object: OF_PERSON },
    sibling: { subject: OF_PERSON, object: OF_PERSON },
    educated_at: { subject: OF_PERSON, object: 'person' },
    works_for: { subject: OF_PERSON, object: 'person' },
    lives_in: { subject: 'place', object: 'person organisation' },
    political_affiliation: { subject: OF_PERSON, object: 'person place' },
    founded_date: { subject: OF_ORGANISATION, object: '' },
    founded_by: { subject: OF_ORGANISATION, object: 'place' },
    founded_in: { subject: OF_ORGANISATION, object: 'person' },
    launch_date: { subject: OF_ORGANISATION, object: '' },
    ceo: { subject: OF_ORGANISATION, object: 'organisation place' },
    headquarters: { subject: OF_ORGANISATION, object: 'person' },
    subsidiary_of: { subject: OF_ORGANISATION, object: 'person place' },
    owned_by: { subject: 'person', object: 'place' },
    led_by: { subject: 'person', object: 'place organisation' },
  }),
);

/** Whether the types of both sides allow the relation. */
export function typesFit(subject: Argument, relation: string, object: Argument): boolean {
  const signature = SIGNATURES.get(relation);
  if (signature === undefined) return true;
  return !excludes(signature.subject, subject) && !excludes(signature.object, object);
}

function excludes(types: string, { type }: Argument): boolean {
  return type !== null && types.includes(type);
}
