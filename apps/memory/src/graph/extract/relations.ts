import { functionalRelation } from '@cairn/reading';

/** What is declared of a relation. One that is not declared here may have many values at a time. */
interface Relation {
  /** At most one value holds at a time, so that two sources with two values disagree. */
  single: boolean;
  /** A later value follows an earlier one: two values with known beginnings are a change and no disagreement. */
  changes: boolean;
}

const SINGLE: Relation = { single: true, changes: false };
const CHANGING: Relation = { single: true, changes: true };
const MANY: Relation = { single: false, changes: false };

/**
 * Relations by name, besides those that the reader declares. What measures something (a price, a period, a date) is
 * single-valued by its ending.
 */
const RELATIONS: ReadonlyMap<string, Relation> = new Map(
  Object.entries<Relation>({
    led_by: CHANGING,
    reports_to: CHANGING,
    works_in: CHANGING,
    lives_in: MANY,
    located_in: MANY,
    founded_by: MANY,
    works_for: MANY,
    has_role: MANY,
    member_of: MANY,
    alias_of: MANY,
    co_occurs: MANY,
    retention_period: CHANGING,
    validity_period: CHANGING,
    price: CHANGING,
  }),
);
const SINGLE_ENDINGS =
  /_(?:within|period|price|version|firmware|number|count|rate|limit|age|size|weight|height|capacity|duration|deadline|temperature|budget|revenue|fee|cost|birthday|address|phone|extension|mail)$/;

/** What is declared of the relation. `measured`: its value is an amount, a period, a date or a version. */
export function relationOf(name: string, measured: boolean): Relation {
  const declared = RELATIONS.get(name);
  if (declared !== undefined) return declared;
  const functional = functionalRelation(name);
  if (functional !== undefined) return functional.changes ? CHANGING : SINGLE;
  // What happened once has one date; what is measured may be measured again.
  if (name.endsWith('_date')) return SINGLE;
  if (measures(name)) return CHANGING;
  return measured ? CHANGING : MANY;
}

/** Whether what the relation is called is measured: a price, a period, a number. */
export function measures(name: string): boolean {
  return SINGLE_ENDINGS.test(`_${name}`);
}

/** Headings of tables and keys of lines that mean a relation with a name of its own. */
const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    manager: 'reports_to',
    'line manager': 'reports_to',
    supervisor: 'reports_to',
    'reports to': 'reports_to',
    lead: 'led_by',
    leader: 'led_by',
    head: 'led_by',
    'led by': 'led_by',
    'team lead': 'led_by',
    owner: 'owned_by',
    role: 'has_role',
    'job title': 'has_role',
    position: 'has_role',
    office: 'works_in',
    location: 'works_in',
    site: 'works_in',
    'based in': 'works_in',
    'place of work': 'works_in',
    employer: 'works_for',
    company: 'works_for',
    founder: 'founded_by',
    'founded by': 'founded_by',
    founded: 'founded_date',
    launched: 'launch_date',
    released: 'launch_date',
    born: 'birth_date',
    'date of birth': 'birth_date',
    'place of birth': 'born_in',
    'chief executive': 'ceo',
    'chief executive officer': 'ceo',
    'head office': 'headquarters',
    'parent company': 'owned_by',
    'also known as': 'alias_of',
    alias: 'alias_of',
  }),
);

/** The relation that a heading or an attribute names: small letters and underscores. */
export function relationName(label: string): string {
  const plain = label
    .replace(/\([^()]*\)/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
    .replace(/^(?:the|a|an|our|its|their) /, '');
  return SYNONYMS.get(plain) ?? plain.replace(/ /g, '_').slice(0, 100);
}

const SINGLE_NAMES = new Set(['led_by', 'reports_to', 'founded_by', 'owned_by']);
/** Relations whose value is somebody or something with a name; a value without one is none. */
export function takesNamedObject(relation: string): boolean {
  return SINGLE_NAMES.has(relation) || relation.endsWith('_by');
}
