import type { Analyser } from '../src/analyser.ts';

type Words = ReturnType<Analyser['tokenise']>;

const RUN = /[\p{L}\p{N}]+(?:[-._@][\p{L}\p{N}]+)*/gu;
const CONNECTOR = /[-._@]/;
const LETTERS = /^\p{L}+$/u;
const ACCENTS = /\p{M}/gu;
const DEFAULT_LANGUAGE = 'en';
const CONFIDENT_STOP_WORDS = 2;
const STOP_PREFIX = '\u0001';
const STEMMED_LETTERS_MIN = 5;

const LANGUAGES: Readonly<Record<string, { stopWords: ReadonlySet<string>; ending: RegExp }>> = {
  en: {
    stopWords: new Set('a and at be in is not of on or that the to what when'.split(' ')),
    ending: /(?:ning|ing|s)$/,
  },
  de: { stopWords: new Set('an das der die im in ist nicht um und'.split(' ')), ending: /(?:en|e)$/ },
  es: { stopWords: new Set('al de del el la los que'.split(' ')), ending: /(?:es|o)$/ },
};

/**
 * A small analyser with everything that the engine has to cope with: several languages whose stems differ, stop words
 * of some of them only, several spellings of a word at one position, and identifiers beside their parts.
 */
export const SPEC_ANALYSER: Analyser = {
  version: 3,
  chunkWordsMax: 4_096,
  defaultLanguage: DEFAULT_LANGUAGE,
  detectLanguage: (text) => mostLikely(text).language,
  detectConfidently(text) {
    const { language, stopWords } = mostLikely(text);
    return stopWords >= CONFIDENT_STOP_WORDS ? language : null;
  },
  analyse: (text, language, wordsMax) =>
    tokenise(text, wordsMax).flatMap((word) =>
      termsOf(word, language).terms.map((term) => ({ term, position: word.position })),
    ),
  tokenise,
  termsOf,
};

function tokenise(text: string, wordsMax: number): Words {
  const words: Words = [];
  let position = 0;
  for (const run of text.toLowerCase().match(RUN) ?? []) {
    const parts = run.split(CONNECTOR);
    const [first, ...others] = parts.map((part) => ({ text: part, plain: LETTERS.test(part), position: position++ }));
    words.push(first!);
    if (others.length > 0) words.push({ text: run, plain: false, position: first!.position }, ...others);
  }
  return words.filter((word) => word.position < wordsMax);
}

function termsOf(word: Words[number], language: string): ReturnType<Analyser['termsOf']> {
  if (!word.plain) return { terms: [word.text], stopWord: false };
  const { stopWords, ending } = LANGUAGES[language]!;
  if (stopWords.has(word.text)) return { terms: [STOP_PREFIX + word.text], stopWord: true };
  const stem = word.text.length < STEMMED_LETTERS_MIN ? word.text : word.text.replace(ending, '');
  const bare = stem.normalize('NFD').replace(ACCENTS, '');
  return { terms: stem === bare ? [stem] : [stem, bare], stopWord: false };
}

/** The language with most stop words in the text; English unless another one has enough and more than English. */
function mostLikely(text: string): { language: string; stopWords: number } {
  const words = tokenise(text, Infinity);
  const counts = Object.entries(LANGUAGES).map(([language, { stopWords }]) => ({
    language,
    stopWords: words.filter((word) => stopWords.has(word.text)).length,
  }));
  return counts.reduce((best, next) =>
    next.stopWords >= CONFIDENT_STOP_WORDS && next.stopWords > best.stopWords ? next : best,
  );
}
