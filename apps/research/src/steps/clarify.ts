import { newId } from '@cairn/contracts';
import { sanitizeProse } from '@cairn/prose';
import type { RunContext } from '../ledger/run-context.ts';
import { changeRecord } from '../runs/run-record.ts';
import { analysePrompt } from './analyse.ts';
import { progress } from './progress.ts';
import { inputOf } from '../runs/run-input.ts';
import type { WorkDeps } from './work-deps.ts';

const CHOICES_MAX = 4;

/**
 * Asks what is meant when the prompt is vague: a word or two, or a reference to something it does not name. Returns the
 * prompt with the answer. When nobody answers, the default is used and noted as an assumption.
 */
export async function clarifyPrompt(deps: WorkDeps, context: RunContext): Promise<string> {
  const { prompt } = inputOf(context);
  const question = await context.step('clarify/question', async (signal) => {
    if (!(await analysePrompt(deps, context, 'isVague', prompt))) return { result: null };
    const { target, sources } = inputOf(context);
    const chunks = sources.includes('memory') ? await deps.memory.search(target, prompt, 20, signal) : [];
    const titles = [...new Set(chunks.map(({ title }) => sanitizeProse(title)))].slice(0, CHOICES_MAX);
    return { result: questionFor(prompt, titles) };
  });
  if (question === null) return prompt;
  const createQuestion = () => ({ questionId: newId('question'), ...question });
  const { answer, assumed } = await context.ask('clarify', createQuestion, deps.clarifyWithinMs);
  const assumption = assumed ? [`${question.question} — nobody answered; assumed: ${answer}`] : [];
  await progress(context, 'clarified', 'planning', 5, { assumptions: assumption });
  return assumed ? prompt : `${prompt}\n${answer}`;
}

function questionFor(prompt: string, titles: readonly string[]): { question: string; default: string } {
  const subject = prompt.replace(/\s+/g, ' ').slice(0, 120);
  if (titles.length < 2)
    return {
      question: `What exactly do you want to know about “${subject}”?`,
      default: `Everything about “${subject}”`,
    };
  const choices = titles.map((title) => `“${title}”`).join(', ');
  return {
    question: `Which of these should the research on “${subject}” look at: ${choices}, or all of them?`,
    default: 'All of them',
  };
}

/** Stores the brief and announces the plan; `name` tells several plans of one run apart. */
export function announcePlan(
  context: RunContext,
  brief: string,
  questions: readonly string[],
  name = 'plan',
): Promise<null> {
  return context.step(`${name}/ready`, () =>
    Promise.resolve({
      result: null,
      events: [{ type: 'plan.ready', data: { brief, questions } }],
      commit: (tx) => changeRecord(tx, context.runId, { brief, stage: 'researching', percent: 10 }),
    }),
  );
}
