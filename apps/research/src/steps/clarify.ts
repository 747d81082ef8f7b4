import { newId } from '@cairn/contracts';
import { sanitizeProse } from '@cairn/prose';
import type { RunContext } from '../ledger/run-context.ts';
import { changeRecord } from '../runs/run-record.ts';
import { analysePrompt } from './analyse.ts';
import { progress } from './progress.ts';
import { inputOf } from '../runs/run-input.ts';
import type { WorkDeps } from './work-deps.ts';

const HITS = 20;

/** A prompt as it is worked on, and where its asker does not want to look. */
interface ClarifiedPrompt {
  asked: string;
  /** Titles of documents that the asker was shown and did not choose. */
  without: string[];
}

/**
 * Asks what is meant when that changes the work: the prompt names a topic that several documents are about, or refers
 * to something it does not name. Returns the prompt with the answer. When nobody answers, the default is used and
 * noted as an assumption.
 */
export async function clarifyPrompt(deps: WorkDeps, context: RunContext): Promise<ClarifiedPrompt> {
  const { prompt } = inputOf(context);
  const question = await context.step('clarify/question', async (signal) => {
    if (!(await analysePrompt(deps, context, 'mayBeUnclear', prompt))) return { result: null };
    const { target, sources } = inputOf(context);
    const chunks = sources.includes('memory') ? await deps.memory.search(target, prompt, HITS, signal) : [];
    const titles = [...new Set(chunks.map(({ title }) => title))];
    const unclear = await analysePrompt(deps, context, 'unclearIn', { prompt, titles });
    return { result: unclear === null ? null : questionFor(prompt, unclear.kind === 'several' ? unclear.choices : []) };
  });
  if (question === null) return { asked: prompt, without: [] };
  const createQuestion = () => ({ questionId: newId('question'), ...question });
  const { answer, assumed } = await context.ask('clarify', createQuestion, deps.clarifyWithinMs);
  const assumption = assumed ? [`${question.question} — nobody answered; assumed: ${answer}`] : [];
  await progress(context, 'clarified', 'planning', 5, { assumptions: assumption });
  // A run of before the upgrade was asked without choices.
  const choices = question.choices ?? [];
  if (assumed) return { asked: prompt, without: [] };
  const taken = await analysePrompt(deps, context, 'choicesTaken', { answer, choices });
  // Whoever takes all says nothing that is to be looked up.
  const saysMore = choices.length === 0 || taken.length < choices.length || !/^\W*(?:all|both|any)\b/i.test(answer);
  // What is not wanted is not to be looked up either.
  const excludes = taken.length < choices.length && /^\W*(?:all|both|any|every|not|without|except)/i.test(answer);
  return {
    asked: saysMore ? `${prompt}\n${excludes ? taken.join(', ') : answer}` : prompt,
    without: choices.filter((choice) => !taken.includes(choice)),
  };
}

interface Clarification {
  question: string;
  default: string;
  choices?: string[];
}

function questionFor(prompt: string, choices: readonly string[]): Clarification {
  const subject = prompt.replace(/\s+/g, ' ').slice(0, 120);
  if (choices.length === 0)
    return {
      question: `What is “${subject}” about? The request does not name it.`,
      default: `Everything about “${subject}”`,
    };
  const listed = choices.map((title) => `“${sanitizeProse(title)}”`).join(', ');
  return {
    question: `Several documents are about “${subject}”. Which should the research look at: ${listed}, or all of them?`,
    default: 'All of them',
    choices: [...choices],
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
