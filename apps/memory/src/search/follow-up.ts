import { analyseQuery } from '../text/analyse.ts';
import type { TurnRow } from '../threads/thread-store.ts';

/** Words of earlier turns that a question means without saying them. */
export interface FollowUp {
  /** For the index; empty when the question stands by itself. */
  expansions: { text: string; weight: number }[];
  /** The same words in one text, for the answer; empty likewise. */
  context: string;
}

/** Words that point back, in the languages whose questions use them most. */
const POINTING_BACK = new Set(
  (
    'it its they them their theirs he him his she her hers that this these those there then one ones same such former latter else ' +
    'er sie es ihn ihm ihr ihre dessen deren davon dazu dort damals dieser diese dieses ' +
    'il elle ils elles lui leur leurs celui celle cela ça ce ceux ello ella ellos ellas eso esa ese aquello allí su sus'
  ).split(' '),
);
const OPENING =
  /^(?:and|but|so|or|then|what about|how about|what else|who else|any other|und|aber|was ist mit|et|mais|y|pero|qué hay)\b/i;
/** Below this many words of its own a question hardly says what it is about. */
const OWN_WORDS_MIN = 2;
/** What the last question's words count against the question's own. */
const LAST_QUESTION_WEIGHT = 0.5;
/** What the answer to it and the question before it count. */
const FURTHER_WEIGHT = 0.2;
const ANSWER_READ_CHARS = 400;
const NO_FOLLOW_UP: FollowUp = { expansions: [], context: '' };

/**
 * Reads a question in the light of the turns before it, without a model: one that points back, opens as a
 * continuation, or has hardly a word of its own takes over the words of the last question and, less, of the last
 * answer and the question before. `turns` are oldest first.
 */
export function resolveFollowUp(question: string, turns: readonly TurnRow[]): FollowUp {
  if (turns.length === 0 || !dependsOnEarlier(question)) return NO_FOLLOW_UP;
  const questions = turns.filter((turn) => turn.role === 'user').map((turn) => turn.content);
  const answer = turns.findLast((turn) => turn.role === 'assistant')?.content ?? '';
  const last = questions.at(-1) ?? '';
  const before = dependsOnEarlier(last) ? (questions.at(-2) ?? '') : '';
  const answered = answer.replace(/\[\d+\]/g, '').slice(0, ANSWER_READ_CHARS);
  const expansions = [
    { text: last, weight: LAST_QUESTION_WEIGHT },
    { text: before, weight: LAST_QUESTION_WEIGHT },
    { text: answered, weight: FURTHER_WEIGHT },
  ].filter(({ text }) => text !== '');
  return { expansions, context: [last, before].filter((text) => text !== '').join(' ') };
}

function dependsOnEarlier(question: string): boolean {
  const words = question.toLowerCase().match(/[\p{L}\p{M}']+/gu) ?? [];
  if (OPENING.test(question.trim())) return true;
  if (analyseQuery(question).length < OWN_WORDS_MIN) return true;
  return words.some((word) => POINTING_BACK.has(word));
}
