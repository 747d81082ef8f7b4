import { detectLanguage } from '../../text/detect-language.ts';
import { tokenise } from '../../text/tokenise.ts';
import { termsOf } from '../../text/word-terms.ts';

/** What a document is about shows early; more words change nothing. */
const WORDS_MAX = 1_500;
const TERMS_MAX = 400;

/** Stems of the words that carry meaning and how often they come, most frequent first. */
export function countTerms(texts: readonly string[]): [term: string, count: number][] {
  const text = texts.join('\n').slice(0, WORDS_MAX * 12);
  const language = detectLanguage(text);
  const counts = new Map<string, number>();
  for (const word of tokenise(text, WORDS_MAX)) {
    const { terms, stopWord } = termsOf(word, language);
    const term = terms[0];
    if (stopWord || term === undefined || /^\d+$/.test(term) || term.length < 2) continue;
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TERMS_MAX);
}
