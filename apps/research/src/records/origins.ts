/** Adjectives of origin that share too few letters with their country. */
const IRREGULAR: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    american: ['united states', 'usa', 'u.s.', 'america'],
    british: ['united kingdom', 'britain', ' uk '],
    english: ['england'],
    dutch: ['netherlands', 'holland'],
    french: ['france'],
    swiss: ['switzerland'],
    danish: ['denmark'],
    spanish: ['spain'],
    welsh: ['wales'],
    greek: ['greece'],
    irish: ['ireland'],
    finnish: ['finland'],
    polish: ['poland'],
    swedish: ['sweden'],
    turkish: ['turkey', 'türkiye'],
    filipino: ['philippines'],
    thai: ['thailand'],
    czech: ['czechia', 'czech republic'],
    cypriot: ['cyprus'],
    iraqi: ['iraq'],
    emirati: ['united arab emirates'],
  }),
);
const ENDING = /(?:ian|ean|an|ese|ish|i|ic|er)$/i;

/** Whether a capitalised word may be an adjective of origin, as "Canadian" or "Viennese". */
export function isOrigin(word: string): boolean {
  if (!/^\p{Lu}/u.test(word)) return false;
  return IRREGULAR.has(word.toLowerCase()) || /^\p{Lu}\p{L}{2,}(?:ian|ean|an|ese|ish|i)$/u.test(word);
}

/** Lower-case forms, any of which says that something is from there: the adjective itself and its country. */
export function originOf(word: string): string[] {
  const lower = word.toLowerCase();
  const stem = lower.replace(ENDING, '');
  return [lower, ...(IRREGULAR.get(lower) ?? (stem.length >= 4 ? [` ${stem}`] : []))];
}
