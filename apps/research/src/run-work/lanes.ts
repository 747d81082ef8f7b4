import { createHash } from 'node:crypto';
import type { RunContext } from '@cairn/ledger';
import type { Budget } from './budget.ts';
import { analyseSources } from './analyse.ts';
import { keepFindings } from './finding-store.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import { inputOf } from './run-input.ts';
import { readSources, type SourceRecord } from './source-store.ts';
import type { WorkParts } from './work-parts.ts';

export interface LaneBounds {
  /** Chunks and documents a question is looked up in. */
  chunks: number;
  documents: number;
  /** Findings of one question, and of one source for it. */
  findings: number;
  perSource: number;
}

/** Works on all questions side by side, each in a lane of its own. */
export async function workLanes(
  parts: WorkParts,
  context: RunContext,
  questions: readonly string[],
  bounds: LaneBounds,
  budget: Budget,
): Promise<void> {
  let loaded: Promise<SourceRecord[]> | null = null;
  // Read once for all lanes: these texts may be large.
  const own = () => {
    loaded ??= parts.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { kinds: ['web', 'upload'] }),
    );
    return loaded;
  };
  await Promise.all(questions.map((question) => workLane(parts, context, { question, bounds, budget, own })));
}

interface Lane {
  question: string;
  bounds: LaneBounds;
  budget: Budget;
  /** The texts that the run brought along itself. */
  own: () => Promise<SourceRecord[]>;
}

async function workLane(parts: WorkParts, context: RunContext, { question, bounds, budget, own }: Lane): Promise<void> {
  const lane = `lane/${keyOf(question)}`;
  const read: string[] = [];
  if (inputOf(context).sources.includes('memory')) {
    for (const docId of await searchMemory(parts, context, `${lane}/memory`, question, bounds)) {
      if (!(await budget.allows())) break;
      const sourceId = await readDocument(parts, context, docId);
      if (sourceId !== null) read.push(sourceId);
    }
  }
  await context.step(`${lane}/findings`, async () => {
    const found = await parts.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { ids: read }),
    );
    const foundIds = new Set(found.map(({ source_id }) => source_id));
    const sources = [...found, ...(await own())];
    const limits = { perSourceMax: bounds.perSource, max: bounds.findings };
    const { result: statements, skipped } = await analyseSources(parts, context, 'findStatements', sources, (some) => {
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
        keepFindings(
          tx,
          context,
          statements.map((finding) => ({ ...finding, topic: question })),
        ),
    };
  });
}

/** The same question has the same key in every process and version. */
export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
