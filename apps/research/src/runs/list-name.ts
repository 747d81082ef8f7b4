import { cutBetweenWords } from '@cairn/language';

const NAME_MAX_CHARS = 80;

/** The default name of a list, made from the prompt. */
export function listNameOf(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  return line.length <= NAME_MAX_CHARS ? line : `${cutBetweenWords(line, NAME_MAX_CHARS)}…`;
}
