import type { ParsedRequest } from '../request/parse-request.ts';
import { stemsOf } from '../text/words.ts';
import { isGeneralStem, relatedWords } from './related-words.ts';

const QUERIES_MAX = 10;
const QUERY_MAX_CHARS = 400;

/**
 * What is looked up for one question: itself, each of the things that it lists, and the words that texts use where
 * requests use general ones.
 */
export function searchQueries(question: ParsedRequest['questions'][number]): string[] {
  const related = [question.query, ...question.aspects].flatMap((text) => {
    const words = [...new Set(stemsOf(text))].filter((stem) => !isGeneralStem(stem)).flatMap(relatedWords);
    return words.length === 0 ? [] : [[...new Set(words)].join(' ')];
  });
  const queries = [question.query, ...question.aspects, ...related].map((query) => query.slice(0, QUERY_MAX_CHARS));
  return [...new Set(queries)].slice(0, QUERIES_MAX);
}

/** Another way of asking a question that found nothing: its own words without its subject, and its words alone. */
export function otherQueries({ text, query, aspects }: ParsedRequest['questions'][number]): string[] {
  const words = stemsOf(text)
    .filter((stem) => !isGeneralStem(stem))
    .join(' ');
  const known = new Set([query, ...aspects]);
  return [...new Set([text, words])].filter((other) => other !== '' && !known.has(other));
}
