import { stemsOf } from '../text/words.ts';

const QUESTIONS_MAX = 6;
const ASKING_WORD =
  '(?:what|who|which|whom|whose|when|where|why|how|is|are|does|do|did|can|should|compare|list|describe|explain)';

const FURTHER_QUESTION = new RegExp(String.raw`(?:, ?| )(?:and|or) (?=${ASKING_WORD}\b)`, 'i');

/**
 * Splits a prompt into questions: its sentences, list items, and clauses that ask something new. The subject of the
 * first question is added to later ones that refer to it by a pronoun, so that each can be looked up on its own.
 */
export function questionsOf(prompt: string): string[] {
  const cleaned = prompt.replace(/https?:\/\/\S+/g, ' ').replace(/[^\S\n]+/g, ' ');
  const parts = cleaned
    .split(/\n+|(?<=[?!.;])\s+/)
    .flatMap((part) => part.split(FURTHER_QUESTION))
    .flatMap((part) => part.split(/, ?(?=(?:what|who|which|when|where|why|how)\b)/i))
    .map((part) =>
      part
        .replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '')
        .replace(/(?<![\s;.,])[\s;.,]+$/, '')
        .trim(),
    )
    .filter((part) => stemsOf(part).length > 0);
  const questions: string[] = [];
  for (const part of parts) {
    const stems = new Set(stemsOf(part));
    if (questions.some((known) => stemsOf(known).join(' ') === [...stems].join(' '))) continue;
    const lean =
      stems.size < 3 &&
      questions.length > 0 &&
      /\b(?:it|its|they|their|them|this|that|these|those|he|she)\b/i.test(part);
    questions.push(lean ? `${part} (${subjectOf(questions[0]!)})` : part);
  }
  return questions.slice(0, QUESTIONS_MAX);
}

/** The subject of a question: its capitalised words, else all words that carry meaning. */
function subjectOf(question: string): string {
  const names = question.match(/(?<!^)\b\p{Lu}[\p{L}\p{N}-]+(?:\s+\p{Lu}[\p{L}\p{N}-]+)*/gu);
  return names?.join(' ') ?? stemsOf(question).join(' ');
}

/** Further questions from headings that no question covers yet. */
export function facetQuestions(
  prompt: string,
  questions: readonly string[],
  titles: readonly string[],
  max: number,
): string[] {
  const covered = new Set([prompt, ...questions].flatMap(stemsOf));
  const facets: string[] = [];
  for (const title of titles) {
    if (facets.length >= max) break;
    const stems = stemsOf(title);
    if (stems.length === 0 || stems.length > 8 || stems.every((stem) => covered.has(stem))) continue;
    if (stems.filter((stem) => covered.has(stem)).length * 2 < stems.length) continue;
    for (const stem of stems) covered.add(stem);
    facets.push(title);
  }
  return facets;
}
