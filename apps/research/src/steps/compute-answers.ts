import type { Tx } from '@cairn/postgres';
import { WorkerFailure } from '@cairn/workers';
import type { TableAnswer } from '../analysis/table-answers.ts';
import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { inputOf } from '../runs/run-input.ts';
import { storeComputedAnswers } from '../sources/computed-answer-store.ts';
import { findingIds, placeOf, storeFindings } from '../sources/finding-store.ts';
import type { readSources } from '../sources/source-store.ts';
import type { WorkDeps } from './work-deps.ts';

const CPU_MAX_MS = 10_000;

type Sources = Awaited<ReturnType<typeof readSources>>;

/**
 * What the tables of the sources say to the questions. When they are too many or too large together, those of the files
 * that the asker sent are asked alone; without an answer of theirs, the run has what rows say.
 */
export async function computeAnswers(
  { text }: Pick<WorkDeps, 'text'>,
  context: RunContext,
  questions: readonly string[],
  sources: Sources,
): Promise<TableAnswer[]> {
  const answers = await answersOf({ text }, context, questions, sources);
  if (answers !== null) return answers;
  const uploads = sources.filter(({ kind }) => kind === 'upload');
  if (uploads.length === 0 || uploads.length === sources.length) return [];
  return (await answersOf({ text }, context, questions, uploads)) ?? [];
}

/** Null when they were too much for a task. */
async function answersOf(
  { text }: Pick<WorkDeps, 'text'>,
  context: RunContext,
  questions: readonly string[],
  sources: Sources,
): Promise<TableAnswer[] | null> {
  const task = {
    asked: { prompt: inputOf(context).prompt, questions },
    sources: sources.map(({ source_id, title, body, kind }) => ({ source_id, title, body, kind })),
  };
  const { tenantId, signal } = context;
  try {
    return await text.run(tenantId, task, 'answersOfTables', { cpuMaxMs: CPU_MAX_MS, signal });
  } catch (error) {
    if (error instanceof WorkerFailure) return null;
    throw error;
  }
}

/**
 * Stores the answers, and as findings the rows that show them, so that the report can cite them. `known` has the ids of
 * the findings so far by their places.
 */
export async function storeAnswersOfTables(
  tx: Tx,
  context: RunContext,
  answers: readonly TableAnswer[],
  { questions, known }: { questions: readonly string[]; known: ReadonlyMap<string, string> },
): Promise<NewEvent[]> {
  if (answers.length === 0) return [];
  const rows = answers.flatMap(({ source_id, title, rows: shown, questions: places }) =>
    shown.map((row) => ({ ...row, source_id, title, topic: questions[places[0]!] ?? '' })),
  );
  const added = rows.filter((row) => !known.has(placeOf(row)));
  const events = await storeFindings(
    tx,
    context,
    // No question: the answer as a whole is what is said, and a row of it is only shown.
    added.map((row) => ({ ...row, score: 1, answers: [], as_of: null, is_old: false })),
  );
  const ids = added.length === 0 ? known : await findingIds(tx, context.runId);
  await storeComputedAnswers(
    tx,
    context,
    answers.map(({ questions: places, text, source_id, rows: shown }) => ({
      questions: places.flatMap((at) => questions[at] ?? []),
      body: text,
      finding_ids: [...new Set(shown.map(({ start_at }) => ids.get(placeOf({ source_id, start_at }))!))],
    })),
  );
  return events;
}
