import { sortedForm, trigramSimilarity, trigramsOf } from './normal-form.ts';

/** A name as identity is judged by it. */
export interface NameKey {
  norm: string;
  class: string;
  /** Empty, or the split that separated it. */
  sense: string;
}

type NameSimilarity = { outcome: 'same' } | { outcome: 'review'; similarity: number } | { outcome: 'apart' };

const SAME_SIMILARITY = 0.9;
const REVIEW_SIMILARITY = 0.7;
/** What an initial for a given name counts for. */
const INITIAL_SIMILARITY = 0.75;
const COMPARED_CHARS_MIN = 5;
const APART: NameSimilarity = { outcome: 'apart' };

/** The key as decisions keep it. */
export function keyText(key: NameKey): string {
  return `${key.class} ${key.sense} ${key.norm}`;
}

/**
 * Two keys under which a name is found by those that are spelled like it: one of its outer words is the same and the
 * other begins alike. Null for names that are never compared: codes, and short ones.
 */
export function similarityKeys(key: NameKey): { a: string | null; b: string | null } {
  if (key.class === 'code' || key.sense !== '' || key.norm.length < COMPARED_CHARS_MIN) return { a: null, b: null };
  const words = key.norm.split(' ').sort();
  const [first, last] = [words[0]!, words.at(-1)!];
  if (words.length === 1) return { a: `${key.class} ${first.slice(0, 4)}`, b: null };
  return { a: `${key.class} ${first} ${last.slice(0, 2)}`, b: `${key.class} ${last} ${first.slice(0, 1)}` };
}

/** Judges two names by their spelling alone: normal forms, word order, initials, trigrams. */
export function compareNames(a: NameKey, b: NameKey): NameSimilarity {
  if (a.class !== b.class || a.sense !== '' || b.sense !== '' || a.class === 'code') return APART;
  if (a.norm === b.norm) return { outcome: 'same' };
  const [of, other] = [shapeOf(a.norm), shapeOf(b.norm)];
  if (of.numbers !== other.numbers) return APART;
  if (of.sorted === other.sorted) return { outcome: 'same' };
  if (Math.min(a.norm.length, b.norm.length) < COMPARED_CHARS_MIN) return APART;
  if (a.class === 'person' && initialsMatch(of.words, other.words))
    return { outcome: 'review', similarity: INITIAL_SIMILARITY };
  const similarity = trigramSimilarity(of.trigrams, other.trigrams);
  // Two people with one family name are two people, however alike their given names are.
  if (similarity >= SAME_SIMILARITY && a.class !== 'person') return { outcome: 'same' };
  return similarity >= REVIEW_SIMILARITY ? { outcome: 'review', similarity } : APART;
}

interface Shape {
  words: readonly string[];
  sorted: string;
  numbers: string;
  trigrams: Float64Array;
}

/** A name is compared with many others. */
const shapes = new Map<string, Shape>();
const REMEMBERED_MAX = 10_000;

function shapeOf(norm: string): Shape {
  let shape = shapes.get(norm);
  if (shape === undefined) {
    shape = {
      words: norm.split(' '),
      sorted: sortedForm(norm),
      numbers: numbersOf(norm),
      trigrams: trigramsOf(norm),
    };
    if (shapes.size >= REMEMBERED_MAX) shapes.clear();
    shapes.set(norm, shape);
  }
  return shape;
}

function numbersOf(norm: string): string {
  return (norm.match(/\p{N}+/gu) ?? []).join(' ');
}

/** True when one name is the other with initials for given names. */
function initialsMatch(a: readonly string[], b: readonly string[]): boolean {
  const last = a.length - 1;
  if (b.length !== a.length || last < 1 || a[last] !== b[last]) return false;
  return abbreviates(a, b) || abbreviates(b, a);
}

function abbreviates(short: readonly string[], long: readonly string[]): boolean {
  for (let at = 0; at < short.length - 1; at += 1) {
    const [word, full] = [short[at]!, long[at]!];
    if (word !== full && !(word.length === 1 && full.startsWith(word))) return false;
  }
  return true;
}
