import { stemsOf } from '../text/words.ts';

const CLEAR_FROM_WORDS = 3;

/** Whether a prompt says too little, or refers to something it does not name. */
export function isVague(prompt: string): boolean {
  const stems = new Set(stemsOf(prompt));
  if (stems.size < CLEAR_FROM_WORDS) return true;
  return (
    stems.size < CLEAR_FROM_WORDS + 2 &&
    /^(?:\W*(?:and|what about|how about))?\s*(?:it|this|that|they|them|these|those)\b/i.test(prompt)
  );
}
