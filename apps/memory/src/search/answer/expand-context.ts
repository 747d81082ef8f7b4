import type { Candidate } from './select-sentences.ts';

/** Longer answers are not read: the reader wants the place, and opens the source for the rest. */
const ANSWER_MAX_CHARS = 700;
/** What begins so means something that was said before. */
const ANAPHOR =
  /^(?:it|its|he|his|she|her|they|their|these|those|this|that|such|both|then|there|however|therefore|thus|also|instead|otherwise|in that case|for example|for this|in this case|er|sie|es|dies\p{L}*|il|elle|ils|elles|cel\p{L}*|él|ella|ellos|est[eoa]s?)(?!\p{L})/iu;

/**
 * Adds to chosen sentences those beside them that a reader needs: the one before when a sentence begins with a word
 * that points back, then, unless all of the question is `covered`, the ones behind, as long as the answer stays
 * short. `chosen` has the best first.
 */
export function expandContext(
  chosen: readonly Candidate[],
  candidates: readonly Candidate[],
  covered: boolean,
): Candidate[] {
  const bySource = Map.groupBy(candidates, ({ passage }) => passage.chunkId);
  const taken = new Set(chosen);
  let chars = chosen.reduce((sum, { text }) => sum + text.length, 0);
  const take = (candidate: Candidate | undefined) => {
    if (candidate === undefined || taken.has(candidate)) return;
    if (chars + candidate.text.length > ANSWER_MAX_CHARS) return;
    taken.add(candidate);
    chars += candidate.text.length;
  };
  for (const { text, passage, position } of chosen)
    if (ANAPHOR.test(text)) take(bySource.get(passage.chunkId)![position - 1]);
  if (!covered) for (const { passage, position } of chosen) take(bySource.get(passage.chunkId)![position + 1]);
  return [...taken];
}
