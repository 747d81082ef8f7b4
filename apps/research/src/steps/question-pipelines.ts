import type { RunContext } from '../ledger/run-context.ts';
import { stepKeyOf } from '../ledger/step-key.ts';
import type { Budget } from './budget.ts';
import { analyseSources } from './analyse.ts';
import { storeFindings } from '../sources/finding-store.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import { inputOf } from '../runs/run-input.ts';
import { readSources, type SourceRecord } from '../sources/source-store.ts';
import type { WorkDeps } from './work-deps.ts';

export interface PipelineBounds {
  /** Limits on the chunks and documents that one question is looked up in. */
  chunks: number;
  documents: number;
  /** Limits on the findings of one question, and of one source for it. */
  findings: number;
  perSource: number;
}

/** Researches all questions in parallel, one pipeline for each. */
export async function runPipelines(
  deps: WorkDeps,
  context: RunContext,
  questions: readonly string[],
  bounds: PipelineBounds,
  budget: Budget,
): Promise<void> {
  let loaded: Promise<SourceRecord[]> | null = null;
  // Loaded once for all pipelines, because these texts may be large.
  const own = () => {
    loaded ??= deps.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { kinds: ['web', 'upload'] }),
    );
    return loaded;
  };
  await Promise.all(questions.map((question) => runPipeline(deps, context, { question, bounds, budget, own })));
}

interface Pipeline {
  question: string;
  bounds: PipelineBounds;
  budget: Budget;
  /** Texts that belong to the run itself: crawled pages and uploads. */
  own: () => Promise<SourceRecord[]>;
}

async function runPipeline(
  deps: WorkDeps,
  context: RunContext,
  { question, bounds, budget, own }: Pipeline,
): Promise<void> {
  // Stored with the run: the keys of its steps must not change.
  const prefix = `lane/${stepKeyOf(question)}`;
  const read: string[] = [];
  if (inputOf(context).sources.includes('memory')) {
    for (const docId of await searchMemory(deps, context, `${prefix}/memory`, question, bounds)) {
      if (!(await budget.allows())) break;
      const sourceId = await readDocument(deps, context, docId);
      if (sourceId !== null) read.push(sourceId);
    }
  }
  await context.step(`${prefix}/findings`, async () => {
    const found = await deps.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { ids: read }),
    );
    const foundIds = new Set(found.map(({ source_id }) => source_id));
    const sources = [...found, ...(await own())];
    const limits = { perSourceMax: bounds.perSource, max: bounds.findings };
    const { result: statements, skipped } = await analyseSources(deps, context, 'findStatements', sources, (some) => {
      const readable = some.map(({ source_id, title, body }) => ({ source_id, title, body }));
      return {
        question,
        found: readable.filter(({ source_id }) => foundIds.has(source_id)),
        own: readable.filter(({ source_id }) => !foundIds.has(source_id)),
        limits,
      };
    });
    return {
      result: statements.length,
      events: skipped,
      commit: (tx) =>
        storeFindings(
          tx,
          context,
          statements.map((finding) => ({ ...finding, topic: question })),
        ),
    };
  });
}
