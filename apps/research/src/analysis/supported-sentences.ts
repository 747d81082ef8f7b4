import { judgeClaim } from '@cairn/prose';
import { statementsOf } from '@cairn/text';
import { LEANS } from './notes.ts';

/** What remains of a model's text, and how many of its sentences nothing supports. */
interface SupportedSentences {
  kept: string;
  dropped: number;
}

/**
 * The sentences of a text that the quotes it cites support, each judged by itself. One that leans on the sentence before
 * it goes with that one.
 */
export function supportedSentences(text: string, quotes: readonly string[]): SupportedSentences {
  const kept: string[] = [];
  let dropped = 0;
  let before = true;
  for (const { text: sentence } of statementsOf(text)) {
    before = (before || !LEANS.test(sentence)) && judgeClaim(sentence, quotes).supported;
    if (before) kept.push(/[.!?…]["”’)\]]?$/.test(sentence) ? sentence : `${sentence}.`);
    else dropped += 1;
  }
  return { kept: kept.join(' '), dropped };
}
