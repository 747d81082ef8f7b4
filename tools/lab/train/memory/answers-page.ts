import { beginExtractiveAnswer } from '../../../../apps/memory/src/search/answer/extractive-answer.ts';
import { statementsOf } from '../../../../apps/memory/src/search/answer/statements.ts';
import type { TrainingQuestion } from './training-set.ts';

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A page to read: each question with the best passage's first sentence, which is all an index has, and the answer. */
export function answersPage(title: string, questions: readonly TrainingQuestion[]): string {
  const parts = questions.map(({ question, passages, further }, at) => {
    const before = statementsOf(passages[0]?.body ?? '')[0] ?? '';
    const { text, cited } = beginExtractiveAnswer(question, passages).finish(further);
    const sources = cited.map(({ passage }) => `<li>${escaped(passage.titlePath)}</li>`);
    return `<section>
<h2>${at + 1}. ${escaped(question)}</h2>
<h3>Best passage’s first sentence</h3>
<p>${escaped(before)}</p>
<h3>Answer</h3>
<p>${escaped(text)}</p>
<ol>${sources.join('')}</ol>
</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>body { max-width: 45rem; margin: 2rem auto; font: 1rem/1.5 sans-serif } h3 { font-size: .8rem; margin: 0 }</style>
</head>
<body><h1>${escaped(title)}</h1>
${parts.join('\n')}
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => SIGNS[sign]!);
}
