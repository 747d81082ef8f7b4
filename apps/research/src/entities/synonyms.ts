import { stemOf } from '../text/words.ts';

/** Words that mean the same in requests and texts. */
const ALIKE: readonly (readonly string[])[] = [
  ['engineer', 'developer', 'programmer'],
  ['backend', 'back-end', 'server-side'],
  ['frontend', 'front-end'],
  ['manager', 'head', 'lead', 'leader'],
  ['machine learning', 'ml'],
  ['javascript', 'js'],
  ['typescript', 'ts'],
  ['kubernetes', 'k8s'],
  ['postgresql', 'postgres'],
  ['movie', 'film', 'motion picture'],
  ['filmmaker', 'film director', 'movie director'],
  ['soccer', 'football'],
  ['soccer player', 'football player', 'footballer'],
];
const ALIKE_STEMS = new Map(
  ALIKE.flatMap((group) => group.map((word) => [stemOf(word), new Set(group.map(stemOf))] as const)),
);
/** Stems of the words that mean the same, itself among them. */
export function synonymStems(stem: string): ReadonlySet<string> {
  return ALIKE_STEMS.get(stem) ?? new Set([stem]);
}

/** The words that mean the same, itself among them; none for a word that stands in no group. */
export function synonymsOf(word: string): string[] {
  return ALIKE.filter((group) => group.includes(word)).flat();
}
