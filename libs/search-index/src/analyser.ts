/**
 * A word of a text before its language is known. `plain` words are stemmed and may be stop words; the others (numbers,
 * identifiers, dates) are terms as they are. Several spellings of one word share its position.
 */
interface AnalysedWord {
  text: string;
  plain: boolean;
  position: number;
}

/** One term of a text and the word's position in it. */
interface AnalysedTerm {
  term: string;
  position: number;
}

/**
 * How texts become terms. The index stores and compares terms and knows no language itself. Chunks and queries must be
 * read by the same analyser.
 */
export interface Analyser {
  /** Rises when the same text would have other terms. Every segment holds the version that wrote it. */
  version: number;
  /** Positions that are indexed of one chunk, over all its fields. */
  chunkWordsMax: number;
  /** The language in which queries are read while a memory has no chunk. */
  defaultLanguage: string;
  detectLanguage(text: string): string;
  /** As `detectLanguage`, or null when the text is too short to decide. */
  detectConfidently(text: string): string | null;
  /** The terms of a text in a language, by position; at most `wordsMax` positions. */
  analyse(text: string, language: string, wordsMax: number): AnalysedTerm[];
  /** The words of a text, at most `wordsMax` positions. */
  tokenise(text: string, wordsMax: number): AnalysedWord[];
  /** The terms under which a word is indexed in a language, one per spelling. */
  termsOf(word: AnalysedWord, language: string): { terms: readonly string[]; stopWord: boolean };
}
