import { newId } from '@cairn/contracts';
import { sanitizeProse } from '@cairn/prose';
import type { RunContext, StepOutcome } from '../ledger/run-context.ts';
import { changeRecord } from '../runs/run-record.ts';
import { holdScopeOpen } from '../scopes/closed-scopes.ts';
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
  const question = await context.step('clarify/question', (signal) => findQuestion(deps, context, signal));
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

const NO_QUESTION: StepOutcome<Clarification | null> = { result: null };

async function findQuestion(
  deps: WorkDeps,
  context: RunContext,
  signal: AbortSignal,
): Promise<StepOutcome<Clarification | null>> {
  const { prompt, target, sources } = inputOf(context);
  if (!(await analysePrompt(deps, context, 'mayBeUnclear', prompt))) return NO_QUESTION;
  const chunks = sources.includes('memory') ? await deps.memory.search(target, prompt, HITS, signal) : [];
  const titles = [...new Set(chunks.map(({ title }) => title))];
  const unclear = await analysePrompt(deps, context, 'unclearIn', { prompt, titles });
  if (unclear === null) return NO_QUESTION;
  if (unclear.kind === 'pointing') return { result: questionFor(prompt, []) };
  const titled = new Map(chunks.map(({ docId, title }) => [docId, title]));
  const offered = [...titled].filter(([, title]) => unclear.choices.includes(title));
  const places = await Promise.all(
    offered.map(async ([docId, title]) => {
      const document = await deps.memory.read(target, docId, signal);
      return document === null ? [] : [{ title, vaultId: document.vaultId }];
    }),
  );
  const there = places.flat();
  const choices = unclear.choices.filter((choice) => there.some(({ title }) => title === choice));
  // So many were deleted meanwhile that there is nothing to choose from.
  if (choices.length < 2) return NO_QUESTION;
  return offering(context, questionFor(prompt, choices), [...new Set(there.map(({ vaultId }) => vaultId))]);
}

/**
 * A question whose choices are titles of documents in these vaults. They are stored with the run, so that deleting one of
 * the spaces finds it though it has read nothing.
 */
function offering(context: RunContext, question: Clarification, vaultIds: string[]): StepOutcome<Clarification | null> {
  const { memoryId } = inputOf(context).target;
  const outcome: StepOutcome<Clarification | null> = {
    result: question,
    commit: async (tx) => {
      for (const vaultId of vaultIds) {
        if (await holdScopeOpen(tx, { tenantId: context.tenantId, memoryId, vaultId })) continue;
        // The space was deleted meanwhile: no title from it is stored.
        outcome.result = null;
        return;
      }
      await changeRecord(tx, context.runId, { offered_vaults: vaultIds });
    },
  };
  return outcome;
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
