import { synonymsOf } from './synonyms.ts';
import type { ListRequest, ParsedCriterion } from './criteria.ts';
import { isUnrestrictedClass } from './requested-class.ts';
import { type EntityKind, loadNouns } from './nouns.ts';

const WORDS_PER_CLASS = 12;
const WORDS_KNOWN_MAX = 200;
const QUERIES_MAX = 40;
/** Typical phrases about people and companies, for requests that name no class that texts could be found by. */
const USUAL: Readonly<Record<EntityKind, readonly string[]>> = {
  person: [
    'biography profile team member',
    'works as engineer developer manager designer',
    'lives in based in born grew up',
    'studied graduated university degree',
    'speaks languages fluent',
    'years of experience skills',
    'joined previously worked for',
  ],
  organisation: [
    'company founded employees headquarters',
    'supplier manufacturer provider customer',
    'offers products services',
  ],
};
const BESIDE: Readonly<Partial<Record<ParsedCriterion['kind'], string>>> = {
  experience_years: 'years experience',
  education: 'studied graduated university',
  language: 'speaks',
  employees: 'employees',
  founded: 'founded',
  birth_place: 'born',
  birth_year: 'born',
  death_year: 'died',
};

/** What to search a memory for, so that texts about everybody asked for are found whatever words they use. */
export function listQueries(prompt: string, { criteria }: ListRequest, kind: EntityKind): string[] {
  const nations = criteria.filter(({ kind: what }) => what === 'nationality').flatMap(({ values }) => values);
  const classes = criteria.flatMap((criterion) => criterion.classes);
  const named = classes.map(({ head, modifiers }) => [...modifiers, head ?? ''].join(' ').trim());
  const alike = classes.flatMap(({ head, modifiers }) =>
    head === null ? [] : wordsOf(head, kind).map((word) => [...modifiers, word].join(' ')),
  );
  // What counts as the same has to be found first.
  const same = classes.flatMap(({ head, modifiers }) =>
    [...modifiers, ...(head === null ? [] : [head])].flatMap((word, place, words) =>
      synonymsOf(word).map((other) => words.with(place, other).join(' ')),
    ),
  );
  const values = criteria
    .filter((criterion) => criterion.classes.length === 0)
    .flatMap(({ kind: what, values: some }) => some.map((value) => `${BESIDE[what] ?? ''} ${value}`.trim()));
  const together = nations.flatMap((nation) => named.map((name) => `${nation} ${name}`));
  // Whoever is named may be named anywhere: texts about people name organisations, too.
  const everywhere = classes.some(isUnrestrictedClass) ? [...USUAL.person, ...USUAL.organisation] : USUAL[kind];
  const usual = classes.some(({ head }) => head !== null) ? [] : everywhere;
  const queries = [prompt, ...together, ...named, ...same, ...values, ...usual, ...alike];
  return [...new Set(queries.filter((query) => query !== ''))].slice(0, QUERIES_MAX);
}

/** Words for a class; none for one that has too many, such as women, of which the first would be any. */
function wordsOf(head: string, kind: EntityKind): string[] {
  const words = loadNouns().wordsFor(head, kind, WORDS_KNOWN_MAX + 1);
  return words.length > WORDS_KNOWN_MAX ? [] : words.slice(0, WORDS_PER_CLASS);
}
