import { isCommon, wordKind } from '../../text/lexicon.ts';
import { normalForm } from '../names/normal-form.ts';

const PHRASE_WORDS_MAX = 5;
const QUESTION_WORDS_MAX = 60;

/** Normal forms that the question may mean: its phrases of up to five words, without single words that name nothing. */
export function phrasesOf(question: string): string[] {
  const words = normalForm(question).split(' ').slice(0, QUESTION_WORDS_MAX);
  const phrases = new Set<string>();
  for (let from = 0; from < words.length; from += 1)
    for (let length = 1; length <= PHRASE_WORDS_MAX && from + length <= words.length; length += 1) {
      const phrase = words.slice(from, from + length);
      if (length === 1 && (phrase[0]!.length < 2 || wordKind(phrase[0]!) === 'function')) continue;
      if (wordKind(phrase[0]!) === 'function' || wordKind(phrase.at(-1)!) === 'function') continue;
      phrases.add(normalForm(phrase.join(' ')));
    }
  return [...phrases];
}

/** How much a phrase alone says: a word of everyday language may mean something else than the entity called so. */
export function certaintyOf(phrase: string): number {
  return !phrase.includes(' ') && isCommon(phrase) ? COMMON_WORD_CERTAINTY : 1;
}

const COMMON_WORD_CERTAINTY = 0.3;
