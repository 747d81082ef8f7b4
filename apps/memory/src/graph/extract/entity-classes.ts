/** Classes that tell homonyms apart; all others are one, and join the one that a name has. */
export const KEY_CLASSES = ['person', 'organisation', 'place', 'product', 'code', 'other'] as const;
export type KeyClass = (typeof KEY_CLASSES)[number];

/** What a text shows of a name. `other`: nothing; `concept`: written small; `term`: a capitalised common word. */
export type EntityClass = KeyClass | 'event' | 'concept' | 'term';

export function keyClassOf(found: EntityClass): KeyClass {
  return (KEY_CLASSES as readonly string[]).includes(found) ? (found as KeyClass) : 'other';
}
