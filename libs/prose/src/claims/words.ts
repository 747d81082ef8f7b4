import { ENGLISH_FUNCTION_WORDS } from '@cairn/language';
import { numberOf } from './figures.ts';
import { CUES } from './word-lists.ts';

/** A word of a sentence that says something of its own, or denies something. */
export interface ClaimWord {
  /** As it stands. */
  text: string;
  /** In lower case, without marks and a possessive ending. */
  key: string;
  /** The value, when it is a number. */
  number: string | null;
  isName: boolean;
  isCue: boolean;
  /** Where it begins in the sentence. */
  at: number;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
/** Numbers in one piece, which the segmenter may cut; hyphenated compounds stay words of their own. */
const TOKEN = /\d+(?:[.,:]\d+)*|[\p{L}\p{M}]+(?:['’]\p{L}+)?|[\p{L}\p{M}\p{N}_]+/gu;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const SENTENCE_START = /^[^\p{L}\p{N}]*$/u;
/** The shortest beginning that two forms of a word share. */
const STEM_MIN_CHARS = 4;
const ENDING_MAX_CHARS = 3;

/** The words of a sentence, function words left out. */
export function wordsOf(sentence: string): ClaimWord[] {
  const words: ClaimWord[] = [];
  for (const { text, at } of tokensOf(sentence)) {
    const key = keyOf(text);
    const isCue = CUES.has(key) || /n['’]t$/i.test(text);
    if (!isCue && ENGLISH_FUNCTION_WORDS.has(key)) continue;
    const isName =
      /^\p{Lu}/u.test(text) && (/^\p{Lu}\P{Lu}*\p{Lu}/u.test(text) || !SENTENCE_START.test(sentence.slice(0, at)));
    words.push({ text, key, number: numberOf(text), isName, isCue, at });
  }
  return words;
}

function* tokensOf(sentence: string): Generator<{ text: string; at: number }> {
  if (WITHOUT_SPACES.test(sentence)) {
    for (const { segment, index, isWordLike } of segmenter.segment(sentence))
      if (isWordLike === true) yield { text: segment, at: index };
    return;
  }
  for (const match of sentence.matchAll(TOKEN)) yield { text: match[0], at: match.index };
}

/** A word as it is compared. */
function keyOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s?$/, '');
}

/** Whether two words are forms of one word; names and numbers must be equal. */
export function sameWord(a: ClaimWord, b: ClaimWord): boolean {
  if (a.number !== null || b.number !== null) return a.number === b.number;
  if (a.key === b.key) return true;
  if (isCapital(a) && isCapital(b)) return false;
  return sameStem(a.key, b.key);
}

function isCapital({ text }: ClaimWord): boolean {
  return /^\p{Lu}/u.test(text);
}

/** Whether two words differ only in their ending: `carries` and `carried`, `opened` and `opening`. */
function sameStem(a: string, b: string): boolean {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1;
  const rest = Math.max(a.length, b.length) - shared;
  const from = Math.min(a.length, b.length);
  if (from < STEM_MIN_CHARS) return shared === from && /^(?:s|es)$/.test((a.length > b.length ? a : b).slice(shared));
  return shared >= STEM_MIN_CHARS - 1 && shared >= from - 2 && rest <= ENDING_MAX_CHARS;
}
