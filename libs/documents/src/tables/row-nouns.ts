import { areRelated } from './concepts.ts';
import type { Table } from './table.ts';

/** The last part of a compound: `strikes` of `birdstrikes`. */
const COMPOUND_MIN_CHARS = 5;

/** What a row is called by the title, the key or the label. */
export function isRowNoun(root: string, { titleWords, key, label }: Table): boolean {
  const words = [...titleWords, ...(key?.words ?? []), ...(label?.words ?? [])];
  return (
    words.some((word) => word.root === root || areRelated(word.root, root)) ||
    (root.length >= COMPOUND_MIN_CHARS && titleWords.some((word) => word.root.endsWith(root))) ||
    (label !== null &&
      label.words.some(({ stem }) => stem === 'name') &&
      areRelated('person', root) &&
      titleWords.some((word) => areRelated(word.root, root)))
  );
}
