import { stemmer } from '@orama/stemmers/english';
import { stopwords } from '@orama/stopwords/english';

/** Words that ask for something and say nothing of what. */
const ASKING =
  'a s t can will find list show tell give explain describe research report write compare summarise summarize know want need please say mean happen exactly currently many much often long soon get got us everything anything something thing things about using use also may might shall would could';
const STOP: ReadonlySet<string> = new Set([...stopwords, ...ASKING.split(' ')]);
const WORD = /[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu;

export interface Word {
  text: string;
  /** In UTF-16 units. */
  start: number;
}

/** The words of a text as they stand. */
export function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), (match) => ({ text: match[0], start: match.index }));
}

/** What a word is compared by: without case and accents, as its stem. */
export function stemOf(word: string): string {
  const plain = word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s?$|['’]/g, '');
  return /^[a-z]+$/.test(plain) ? stemmer(plain) : plain;
}

const STOP_STEMS: ReadonlySet<string> = new Set([...STOP, ...[...STOP].map(stemOf)]);

/** Stems of the words that carry meaning, in their order, repeats included. */
export function stemsOf(text: string): string[] {
  return wordsOf(text).flatMap(({ text: word }) => {
    const lower = word.toLowerCase();
    if (STOP.has(lower)) return [];
    const stem = stemOf(word);
    return stem.length === 0 || STOP_STEMS.has(stem) ? [] : [stem];
  });
}
