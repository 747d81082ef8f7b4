import { FEMALE, type Lexicon, MALE } from '../learned/lexicon.ts';
import { type WordFeatures } from '../learned/words.ts';

/** Marks a word that is part of a place's name of several words. */
const IN_LONG_PLACE = 4;

/** What the lists know of each word, as one number; names of places may take several words. */
export function gazetteer(words: readonly WordFeatures[], lexicon: Lexicon): Int32Array {
  const known = new Int32Array(words.length);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    known[i]! |= word.entry & ~(MALE | FEMALE);
    if (word.capital === 0) continue;
    for (const rest of lexicon.longPlacesFrom(word.lower)) {
      if (!rest.every((part, k) => words[i + 1 + k]?.lower === part)) continue;
      for (let k = 0; k <= rest.length; k++) known[i + k]! |= IN_LONG_PLACE;
    }
  }
  return known;
}
