import { isGeneralStem } from './related-words.ts';
import { stemsOf } from '../text/words.ts';
import type { RequestedQuestion } from '../request/parse-request.ts';

const QUESTIONS_MAX = 12;
const ASPECTS_MAX = 8;

/**
 * The questions of a request with those that a model has planned. What is asked stays what the report is about: a planned
 * question is a further way to look for the one that it shares most words with. Only a request of a single question is
 * split into the planned ones, beside itself.
 */
export function withPlanned(own: readonly RequestedQuestion[], planned: readonly string[]): RequestedQuestion[] {
  const known = new Set(own.map(({ text }) => keyOf(text)));
  const further = planned.filter((text) => {
    const key = keyOf(text);
    if (key === '' || known.has(key)) return false;
    known.add(key);
    return true;
  });
  const questions = own.map((question) => ({ ...question }));
  for (const text of further) {
    const nearest = own.length > 1 ? nearestOf(questions, text) : null;
    if (nearest === null) questions.push({ text, query: text, aspects: [] });
    else {
      const { query, aspects } = nearest;
      nearest.aspects = [...(aspects.length === 0 ? [query] : aspects), text].slice(0, ASPECTS_MAX);
    }
  }
  return questions.slice(0, QUESTIONS_MAX);
}

function keyOf(text: string): string {
  return stemsOf(text).toSorted().join(' ');
}

function nearestOf(questions: RequestedQuestion[], text: string): RequestedQuestion | null {
  const stems = new Set(stemsOf(text).filter((stem) => !isGeneralStem(stem)));
  const shared = questions.map(
    (question) => [...new Set(stemsOf(question.text))].filter((stem) => stems.has(stem)).length,
  );
  const most = Math.max(0, ...shared);
  return most === 0 ? null : questions[shared.indexOf(most)]!;
}
