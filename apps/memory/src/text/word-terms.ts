import { createHash } from 'node:crypto';
import { LANGUAGES, type Language } from '@cairn/language/languages';
import { fold } from './fold.ts';
import type { IndexWord } from './word.ts';

/** Bytes of a term. A longer one is its start and a hash, so that it is still found, by itself only. */
export const TERM_MAX_BYTES = 64;
const TERM_KEPT_CHARACTERS = 12;
const TERM_HASH_CHARACTERS = 16;

/** Stems kept per language, twice: when the newer ones are so many, they become the older ones. */
const STEMS_MAX = 30_000;

/** What a plain word is in one language. */
interface WordTerms {
  terms: readonly string[];
  stopWord: boolean;
}

// Stop words are terms of their own: `die` as a German article is not the English verb.
const STOP_PREFIX = '\u0001';

/**
 * The terms of a lower-case word: a stop word's own term, or its stem. A word with accents also has the stem of
 * its plain spelling, where that differs, because stemmers look at accents and writers leave them out.
 */
function wordTerms(word: string, languageCode: string): WordTerms {
  const language = prepared(languageCode);
  const known = language.newer.get(word);
  if (known !== undefined) return known;
  const terms = language.older.get(word) ?? compute(word, language);
  if (language.newer.size >= STEMS_MAX) {
    language.older = language.newer;
    language.newer = new Map();
  }
  language.newer.set(word, terms);
  return terms;
}

/** The terms of one word. Exact words are folded and nothing else. */
export function termsOf(word: IndexWord, language: string): WordTerms {
  if (word.plain) return wordTerms(word.text, language);
  return { terms: [boundedTerm(fold(word.text))], stopWord: false };
}

interface Prepared {
  language: Language | null;
  stopWords: Set<string>;
  newer: Map<string, WordTerms>;
  older: Map<string, WordTerms>;
}

const preparedLanguages = new Map<string, Prepared>();

function prepared(code: string): Prepared {
  let entry = preparedLanguages.get(code);
  if (entry === undefined) {
    const language = LANGUAGES.get(code) ?? null;
    entry = {
      language,
      stopWords: new Set(language?.stopWords.map((word) => word.normalize('NFKC').toLowerCase())),
      newer: new Map(),
      older: new Map(),
    };
    preparedLanguages.set(code, entry);
  }
  return entry;
}

// French and Italian join an article or pronoun to the next word.
const ELISION = /^(?:l|d|j|n|s|t|m|c|qu|jusqu|lorsqu|puisqu|un|dell|nell|all|dall|sull|quell|quest)'(?=.)/;

function compute(raw: string, { language, stopWords }: Prepared): WordTerms {
  if (stopWords.has(raw)) return { terms: [boundedTerm(STOP_PREFIX + fold(raw))], stopWord: true };
  let word = raw;
  if (language?.code === 'fr' || language?.code === 'it') word = word.replace(ELISION, '');
  else if (language?.code === 'en') word = word.replace(/'s$/, '');
  word = word.replaceAll("'", '');
  if (stopWords.has(word)) return { terms: [boundedTerm(STOP_PREFIX + fold(word))], stopWord: true };
  const folded = fold(word);
  const stem = language?.stem ?? ((unchanged: string) => unchanged);
  const first = boundedTerm(fold(stem(word)));
  if (folded === word) return { terms: [first], stopWord: false };
  const second = boundedTerm(fold(stem(folded)));
  return { terms: first === second ? [first] : [first, second], stopWord: false };
}

/** The term itself, or its bounded stand-in. */
function boundedTerm(term: string): string {
  if (term.length * 3 <= TERM_MAX_BYTES || Buffer.byteLength(term) <= TERM_MAX_BYTES) return term;
  const hash = createHash('sha256').update(term).digest('hex').slice(0, TERM_HASH_CHARACTERS);
  return `${[...term].slice(0, TERM_KEPT_CHARACTERS).join('')}~${hash}`;
}
