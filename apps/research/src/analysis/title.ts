import { cutBetweenWords } from '@cairn/language';
import type { ParsedRequest } from '../request/parse-request.ts';

const TITLE_MAX_CHARS = 120;

/** The title of a report: what is asked about. */
export function titleFor({ subject, questions }: Pick<ParsedRequest, 'subject' | 'questions'>, asked: string): string {
  const texts = questions.map(({ text }) => text);
  if (texts.length === 0) return shortened(asked.split('\n', 1)[0]!);
  if (texts.length === 1) return shortened(texts[0]!);
  const listed = texts
    .map((text, i) => (i === texts.length - 1 ? text : text.replace(/\?$/, '')))
    .map((text, i) => (i === 0 && subject === '' ? text : lowerFirst(text)))
    .join('; ');
  return shortened(subject === '' ? listed : `${subject}: ${listed}`);
}

function lowerFirst(text: string): string {
  // A name, or an abbreviation, keeps its capital.
  return /^\p{Lu}\p{Ll}/u.test(text) &&
    /^(?:what|who|whom|whose|which|when|where|why|how|is|are|does|do|the|a|an)\b/i.test(text)
    ? `${text[0]!.toLowerCase()}${text.slice(1)}`
    : text;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= TITLE_MAX_CHARS) return line;
  return `${cutBetweenWords(line, TITLE_MAX_CHARS - 1).replace(/[\s,;:]$/, '')} …`;
}
