import { DEFAULT_LANGUAGE, detectLanguage, UNKNOWN_LANGUAGE } from './detect-language.ts';
import { eachTerm, TERMS } from './each-term.ts';
import { tokenise } from './tokenise.ts';
import { termsOf } from './word-terms.ts';

/** Rises when the same text would give other terms. Segments say which version made them. */
export const ANALYSER_VERSION = 3;

/** Positions indexed of one chunk, over all its fields; the rest of a longer chunk is not found. */
export const CHUNK_WORDS_MAX = 4_096;

/** One term of a text. Terms at one position are spellings of the same word, or an identifier and its first part. */
interface AnalysedTerm {
  term: string;
  position: number;
  stopWord: boolean;
}

/** The terms of a text in a language (`en`, …, or `und`), by position, at most `wordsMax` positions. */
export function analyse(text: string, language: string, wordsMax: number = CHUNK_WORDS_MAX): AnalysedTerm[] {
  const analysed: AnalysedTerm[] = [];
  for (const word of tokenise(text, wordsMax)) {
    const { terms, stopWord } = termsOf(word, language);
    for (const term of terms) analysed.push({ term, position: word.position, stopWord });
  }
  return analysed;
}

/**
 * Distinct stems of a text without its stop words, in order of appearance: what two texts are compared by.
 * `language` is detected when it is not given; pass the question's or the chunk's to compare the two.
 */
export function analyseQuery(text: string, language: string = detectLanguage(text)): string[] {
  return [...stemsOf(text, language)];
}

/** The same as a set, which keeps their order. */
export function stemsOf(text: string, language: string): Set<string> {
  const known = language === UNKNOWN_LANGUAGE ? DEFAULT_LANGUAGE : language;
  const stems = new Set<string>();
  eachTerm(text, { language: known, wordsMax: CHUNK_WORDS_MAX, form: TERMS }, (term) => stems.add(term));
  return stems;
}
