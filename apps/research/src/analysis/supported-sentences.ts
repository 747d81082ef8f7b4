import { judgeClaim } from '@cairn/prose';
import { plainText, statementsOf } from '@cairn/language';
import { ANAPHORIC_START } from './notes.ts';

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
    before = (before || !ANAPHORIC_START.test(sentence)) && isSupported(sentence, quotes);
    if (before) kept.push(/[.!?…]["”’)\]]?$/.test(sentence) ? sentence : `${sentence}.`);
    else dropped += 1;
  }
  return { kept: kept.join(' '), dropped };
}

/** A table's row has no sentence that would say which value belongs to which label, so each pair must be said as it is. */
function isSupported(sentence: string, quotes: readonly string[]): boolean {
  if (!judgeClaim(sentence, quotes).supported) return false;
  const pairs = sentence
    .replace(/[.!?]$/, '')
    .split('; ')
    .map(plain);
  if (pairs.length < 2 || !pairs.every((pair) => /^[^:]{1,60}: \S/.test(pair))) return true;
  const rows = quotes.map((quote) => new Set(plainText(quote).split('; ').map(plain)));
  return rows.some((row) => pairs.every((pair) => row.has(pair)));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.!?]$/, '')
    .trim();
}
