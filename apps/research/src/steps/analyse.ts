import { type NewEvent, RunFailure } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { WorkerFailure } from '@cairn/workers';
import type * as tasks from '../workers/tasks.ts';
import type { WorkDeps } from './work-deps.ts';

type Tasks = typeof tasks;
type TaskOf<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
type ResultOf<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

/** For a source on its own, after the analysis of all sources together has failed. */
const SOURCE_CPU_MAX_MS = 5_000;

/** Analyses the caller's text. A prompt that cannot be analysed in time fails the run with a message that says so. */
export async function analysePrompt<Name extends keyof Tasks>(
  { text }: Pick<WorkDeps, 'text'>,
  { tenantId, signal }: Pick<RunContext, 'tenantId' | 'signal'>,
  name: Name,
  task: TaskOf<Name>,
): Promise<ResultOf<Name>> {
  try {
    return await text.run(tenantId, task, name, { signal });
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    throw new RunFailure('prompt_unreadable', 'Analysing the prompt took too long. Put it in fewer or simpler words.');
  }
}

/** Analyses what was taken from sources: findings, profiles. */
export async function analyseFindings<Name extends keyof Tasks>(
  { text }: Pick<WorkDeps, 'text'>,
  { tenantId, signal }: Pick<RunContext, 'tenantId' | 'signal'>,
  name: Name,
  task: TaskOf<Name>,
): Promise<ResultOf<Name>> {
  try {
    return await text.run(tenantId, task, name, { signal });
  } catch (error) {
    throw error instanceof WorkerFailure ? unreadableSources() : error;
  }
}

interface SourceAnalysis<Result> {
  result: Result;
  /** Events for sources that could not be read and were left out. */
  skipped: NewEvent[];
}

interface Readable {
  source_id: string;
  title: string;
}

/**
 * Analyses sources together. When that exceeds its limits, each source is tried on its own, those that fail are left
 * out, and the rest is analysed again. The run fails only when that fails too.
 */
export async function analyseSources<Name extends keyof Tasks, Source extends Readable>(
  { text }: Pick<WorkDeps, 'text'>,
  { tenantId, signal }: Pick<RunContext, 'tenantId' | 'signal'>,
  name: Name,
  sources: readonly Source[],
  taskOf: (sources: readonly Source[]) => TaskOf<Name>,
): Promise<SourceAnalysis<ResultOf<Name>>> {
  const analyse = (some: readonly Source[], limits: { cpuMaxMs?: number } = {}) =>
    text.run(tenantId, taskOf(some), name, { ...limits, signal });
  try {
    return { result: await analyse(sources), skipped: [] };
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
  }
  const readable: Source[] = [];
  const skipped: NewEvent[] = [];
  for (const source of sources) {
    const reason = await analyse([source], { cpuMaxMs: SOURCE_CPU_MAX_MS }).then(() => null, reasonOf);
    if (reason === null) readable.push(source);
    else skipped.push({ type: 'source.skipped', data: { origin: source.title, source_id: source.source_id, reason } });
  }
  try {
    return { result: await analyse(readable), skipped };
  } catch (error) {
    throw error instanceof WorkerFailure ? unreadableSources() : error;
  }
}

function unreadableSources(): RunFailure {
  return new RunFailure(
    'sources_unreadable',
    'Analysing what the run has read took too long or too much memory. Give it fewer or smaller sources.',
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof WorkerFailure)) throw error;
  return error.reason === 'timed_out' ? 'reading_timed_out' : 'needs_too_much_memory';
}
