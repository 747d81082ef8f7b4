import { newId } from '@cairn/contracts';
import { sanitizeProse } from '@cairn/prose';
import type { RunContext, StepOutcome } from '../ledger/run-context.ts';
import { changeRecord } from '../runs/run-record.ts';
import { holdScopeOpen } from '../scopes/closed-scopes.ts';
import { analysePrompt } from './analyse.ts';
import { progress } from './progress.ts';
import type { MissingContext } from '../request/missing-context.ts';
import { inputOf } from '../runs/run-input.ts';
import { countUploads } from '../sources/uploads.ts';
import type { WorkDeps } from './work-deps.ts';

const HITS = 20;

/** A prompt as it is worked on, and where its asker does not want to look. */
export interface ClarifiedPrompt {
  prompt: string;
  /** What the asker said to a question about it; empty when nothing was asked, or the prompt now says it itself. */
  answer: string;
  /** Titles of documents that the asker was shown and did not choose. */
  without: string[];
}

/** All that was asked for, in the asker's words. */
export function fullPrompt({ prompt, answer }: Pick<ClarifiedPrompt, 'prompt' | 'answer'>): string {
  return answer === '' ? prompt : `${prompt}\n${answer}`;
}

/**
 * Asks what is meant when that changes the work: the prompt leaves unsaid what it is about, or names a topic that
 * several documents are about. Returns the prompt with the answer. When nobody answers, or nobody may be asked, the
 * default is used and noted as an assumption.
 */
export async function clarifyPrompt(
  deps: WorkDeps,
  context: RunContext,
  { mayAsk }: { mayAsk: boolean },
): Promise<ClarifiedPrompt> {
  const { prompt } = inputOf(context);
  const asIs = { prompt, answer: '', without: [] };
  if (!mayAsk) {
    const unsaid = await unsaidIn(deps, context);
    if (unsaid !== null) await noteAssumption(context, questionAbout(prompt, unsaid), 'nobody was asked');
    return asIs;
  }
  const question = await context.step('clarify/question', (signal) => findQuestion(deps, context, signal));
  if (question === null) return asIs;
  const { unsaid = null, ...asked } = question;
  const createQuestion = () => ({ questionId: newId('question'), ...asked });
  const { answer, assumed } = await context.ask('clarify', createQuestion, deps.clarifyWithinMs);
  if (assumed) {
    await noteAssumption(context, { ...question, default: answer }, 'nobody answered');
    return asIs;
  }
  await progress(context, 'clarified', 'planning', 5, { assumptions: [] });
  if (unsaid !== null) {
    const completed = await analysePrompt(deps, context, 'completePrompt', { prompt, unsaid, answer });
    return { ...completed, without: [] };
  }
  // A run of before the upgrade was asked without choices.
  return withChoices(deps, context, { answer, choices: question.choices ?? [] });
}

/** The prompt with an answer that chooses among documents. */
async function withChoices(
  deps: WorkDeps,
  context: RunContext,
  { answer, choices }: { answer: string; choices: readonly string[] },
): Promise<ClarifiedPrompt> {
  const { prompt } = inputOf(context);
  const taken = await analysePrompt(deps, context, 'choicesTaken', { answer, choices });
  // Whoever takes all says nothing that is to be looked up.
  const isMoreThanChoice =
    choices.length === 0 || taken.length < choices.length || !/^\W*(?:all|both|any)\b/i.test(answer);
  // What is not wanted is not to be looked up either.
  const excludes = taken.length < choices.length && /^\W*(?:all|both|any|every|not|without|except)/i.test(answer);
  return {
    prompt,
    answer: isMoreThanChoice ? (excludes ? taken.join(', ') : answer) : '',
    without: choices.filter((choice) => !taken.includes(choice)),
  };
}

function noteAssumption(context: RunContext, question: Clarification, why: string): Promise<unknown> {
  const assumption = `${question.question} — ${why}; assumed: ${question.default}`;
  return progress(context, 'clarified', 'planning', 5, { assumptions: [assumption] });
}

interface Clarification {
  question: string;
  default: string;
  choices?: string[];
  /** What the prompt leaves unsaid, which the answer completes. */
  unsaid?: MissingContext;
}

const NO_QUESTION: StepOutcome<Clarification | null> = { result: null };

/** What the prompt leaves unsaid; nothing where it comes with sites or files, which may be what it points at. */
async function unsaidIn(deps: WorkDeps, context: RunContext): Promise<MissingContext | null> {
  const { prompt, seeds } = inputOf(context);
  if (seeds.length > 0) return null;
  const unsaid = await analysePrompt(deps, context, 'missingContextOf', prompt);
  if (unsaid === null) return null;
  const files = await deps.database.withTenant(context.tenantId, (tx) => countUploads(tx, context.runId));
  return files > 0 ? null : unsaid;
}

async function findQuestion(
  deps: WorkDeps,
  context: RunContext,
  signal: AbortSignal,
): Promise<StepOutcome<Clarification | null>> {
  const { prompt, target, sources } = inputOf(context);
  const unsaid = await unsaidIn(deps, context);
  if (unsaid !== null) return { result: questionAbout(prompt, unsaid) };
  if (!sources.includes('memory') || !(await analysePrompt(deps, context, 'isTopic', prompt))) return NO_QUESTION;
  const chunks = await deps.memory.search(target, prompt, HITS, signal);
  const titles = [...new Set(chunks.map(({ title }) => title))];
  const meant = await analysePrompt(deps, context, 'matchingDocuments', { prompt, titles });
  if (meant === null) return NO_QUESTION;
  const titled = new Map(chunks.map(({ docId, title }) => [docId, title]));
  const offered = [...titled].filter(([, title]) => meant.choices.includes(title));
  const places = await Promise.all(
    offered.map(async ([docId, title]) => {
      const document = await deps.memory.read(target, docId, signal);
      return document === null ? [] : [{ title, vaultId: document.vaultId }];
    }),
  );
  const there = places.flat();
  const choices = meant.choices.filter((choice) => there.some(({ title }) => title === choice));
  // So many were deleted meanwhile that there is nothing to choose from.
  if (choices.length < 2) return NO_QUESTION;
  return offering(context, questionWhich(prompt, choices), [...new Set(there.map(({ vaultId }) => vaultId))]);
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

function shown(prompt: string): string {
  return `“${prompt.replace(/\s+/g, ' ').slice(0, 120)}”`;
}

function questionAbout(prompt: string, unsaid: MissingContext): Clarification {
  if (unsaid.kind === 'nothing')
    return {
      question: `What should be researched? ${shown(prompt)} names nothing to look for.`,
      default: 'Whatever the sources hold',
      unsaid,
    };
  const pointers = unsaid.kind === 'pointing' ? unsaid.phrases.map((phrase) => `“${phrase}”`).join(' and ') : '';
  return {
    question:
      unsaid.kind === 'pointing'
        ? `What does ${pointers} in ${shown(prompt)} stand for? The request does not say.`
        : `What is ${shown(prompt)} about? The request does not say.`,
    default: `Whatever the sources say on ${shown(prompt)}`,
    unsaid,
  };
}

function questionWhich(prompt: string, choices: readonly string[]): Clarification {
  const listed = choices.map((title) => `“${sanitizeProse(title)}”`).join(', ');
  return {
    question: `Several documents are about ${shown(prompt)}. Which should the research look at: ${listed}, or all of them?`,
    default: 'All of them',
    choices: [...choices],
  };
}

/** Stores the brief and announces the plan; `name` distinguishes several plans of one run. */
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
