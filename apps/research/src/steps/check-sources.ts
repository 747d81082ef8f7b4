import { newId } from '@cairn/contracts';
import { stepKeyOf } from '../ledger/step-key.ts';
import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import type { Tx } from '@cairn/postgres';
import { analyseFindings, analyseSources } from './analyse.ts';
import { type FindingRecord, storeFindings, readFindings } from '../sources/finding-store.ts';
import { type PlacedConflict, placeOf } from '../analysis/find-conflicts.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import { inputOf } from '../runs/run-input.ts';
import { readSources, type SourceRecord } from '../sources/source-store.ts';
import type { WorkDeps } from './work-deps.ts';

const LOOKED_UP_MAX = 12;
const CONFLICTS_MAX = 30;

/**
 * Compares the sources: each finding that states or denies something is looked up again in the memory, and statements
 * of any source that contradict it are reported, with both sides cited.
 */
export async function checkSources(deps: WorkDeps, context: RunContext): Promise<void> {
  const findings = await deps.database.withTenant(context.tenantId, (tx) => readFindings(tx, context.runId));
  if (inputOf(context).sources.includes('memory')) await crossCheckFindings(deps, context, findings);
  await context.step('check/conflicts', async () => {
    const sources = await deps.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
    );
    const { result, skipped } = await analyseSources(deps, context, 'findConflicts', sources, (some) => ({
      findings,
      sources: some.map(({ source_id, title, body }) => ({ source_id, title, body })),
    }));
    const conflicts = result.slice(0, CONFLICTS_MAX);
    return {
      result: conflicts.length,
      events: skipped,
      commit: (tx) => storeConflicts(tx, context, conflicts, sources, findings),
    };
  });
}

async function crossCheckFindings(
  deps: WorkDeps,
  context: RunContext,
  findings: readonly FindingRecord[],
): Promise<void> {
  const contestable = await analyseFindings(deps, context, 'contestable', findings);
  const strongest = contestable.toSorted((a, b) => b.score - a.score).slice(0, LOOKED_UP_MAX);
  await Promise.all(
    strongest.map(async ({ quote }) => {
      const docIds = await searchMemory(deps, context, `check/${stepKeyOf(quote)}`, quote.slice(0, 500), {
        chunks: 5,
        documents: 3,
      });
      await Promise.all(docIds.map((docId) => readDocument(deps, context, docId)));
    }),
  );
}

/** Both sides become findings, so that the report can cite them. */
async function storeConflicts(
  tx: Tx,
  context: RunContext,
  conflicts: readonly PlacedConflict[],
  sources: readonly SourceRecord[],
  findings: readonly FindingRecord[],
): Promise<NewEvent[]> {
  const titleOf = (id: string) => sources.find(({ source_id }) => source_id === id)?.title ?? '';
  const known = new Map(findings.map((finding) => [`${finding.source_id}/${finding.start_at}`, finding.finding_id]));
  const missing = conflicts.flatMap(({ a, b }) => [a, b]).filter((side) => !known.has(placeOf(side)));
  const events = await storeFindings(
    tx,
    context,
    missing.map(({ sourceId, start, quote, topic }) => ({
      source_id: sourceId,
      title: titleOf(sourceId),
      start_at: start,
      quote,
      topic,
      score: 0,
    })),
  );
  for (const finding of await readFindings(tx, context.runId))
    known.set(`${finding.source_id}/${finding.start_at}`, finding.finding_id);
  for (const { a, b, subject } of conflicts) {
    const sides = [a, b].map((side) => ({
      finding_id: known.get(placeOf(side))!,
      source_id: side.sourceId,
      title: titleOf(side.sourceId),
      quote: side.quote,
    }));
    const conflictId = newId('conflict');
    await tx.execute(
      'INSERT INTO conflicts (tenant_id, run_id, conflict_id, subject, finding_ids) VALUES ($1, $2, $3, $4, $5)',
      [context.tenantId, context.runId, conflictId, subject, sides.map(({ finding_id }) => finding_id)],
    );
    events.push({ type: 'conflict.found', data: { conflict_id: conflictId, subject, statements: sides } });
  }
  return events;
}
