import { ENGLISH_STOP_WORDS, stemEnglish, wordsOf } from '@cairn/language';

/** Words of requests that say nothing about their subject. */
const ASKING =
  'find list show tell give explain describe research report write compare summarise summarize know want need please say mean happen exactly currently many much often long soon get got us everything anything something thing things about using use also may might shall would could must ought';
const STOP: ReadonlySet<string> = new Set([...ENGLISH_STOP_WORDS, ...ASKING.split(' ')]);

/** The stem of a word, without case and accents. */
export function stemOf(word: string): string {
  const plain = word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s?$|['’]/g, '');
  return /^[a-z]+$/.test(plain) ? stemEnglish(plain) : plain;
}

const STOP_STEMS: ReadonlySet<string> = new Set([...STOP, ...[...STOP].map(stemOf)]);

/** Stems of the words that carry meaning, in order, with repetitions. */
export function stemsOf(text: string): string[] {
  return wordsOf(text).flatMap(({ text: word }) => {
    const lower = word.toLowerCase();
    if (STOP.has(lower)) return [];
    const stem = stemOf(word);
    return stem.length === 0 || STOP_STEMS.has(stem) ? [] : [stem];
  });
}
