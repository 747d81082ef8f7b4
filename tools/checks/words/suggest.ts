import { someForm } from './inflections.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One letter in four may differ. */
const LETTERS_PER_ERROR = 4;
const PREFIX_MIN_CHARS = 4;

/** The word to use instead of an unknown one: a synonym, else what is written most like it, terms first; or null. */
export function suggest({ terms, words, synonyms }: Vocabulary, word: string): string | null {
  let synonym: string | null = null;
  someForm(word, (form) => {
    synonym = synonyms.get(form) ?? null;
    return synonym !== null;
  });
  if (synonym !== null) return synonym;
  const ordered = [...terms, ...words];
  return closest(ordered, word) ?? longestPrefix(ordered, word);
}

function closest(ordered: readonly string[], word: string): string | null {
  let best: string | null = null;
  let least = Math.floor(word.length / LETTERS_PER_ERROR) + 1;
  for (const candidate of ordered) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(candidate, word);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function longestPrefix(ordered: readonly string[], word: string): string | null {
  let best: string | null = null;
  let most = PREFIX_MIN_CHARS - 1;
  for (const candidate of ordered) {
    const length = sharedPrefix(candidate, word);
    if (length > most) [best, most] = [candidate, length];
  }
  return best;
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** Letters to insert, delete or replace (Wagner and Fischer 1974). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
