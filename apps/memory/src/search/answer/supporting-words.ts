import { statementsOf } from '@cairn/language';
import { stemsOf } from '../../text/analyse.ts';
import { detectLanguage } from '../../text/detect-language.ts';
import { citedNumbers } from './generated-answer.ts';
import { locateWords } from './locate-words.ts';
import type { CitedPassage, Passage } from './passage.ts';
import type { StatementReader } from './statement-reader.ts';

/** A statement that shares fewer of a sentence's words is about something else. */
const SHARED_MIN = 1 / 3;

/**
 * The statement of a passage that has most of the words of those sentences of an answer that cite it; the first of
 * equals. Empty where none has enough of them: what was offered then stands.
 */
export function supportOf(
  answer: string,
  number: number,
  passage: Passage,
  question: string,
  reader: StatementReader,
): Partial<Pick<CitedPassage, 'snippet' | 'span'>> {
  const language = detectLanguage(question);
  const wanted = statementsOf(answer)
    .filter(({ text }) => citedNumbers(text).includes(number))
    .map(({ text }) => [...stemsOf(text.replace(/\[\d{1,2}\]/g, ' '), language)])
    .filter((stems) => stems.length > 0);
  let best: { text: string; share: number } | null = null;
  for (const { text, stems } of reader.read(passage, language))
    for (const sentence of wanted) {
      const share = sentence.filter((stem) => stems.has(stem)).length / sentence.length;
      if (share >= SHARED_MIN && share > (best?.share ?? 0)) best = { text, share };
    }
  const span = best === null ? null : locateWords(passage.body, [best.text]);
  return span === null ? { span: null } : { snippet: best!.text, span };
}
