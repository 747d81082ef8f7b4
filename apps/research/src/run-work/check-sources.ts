import { newId } from '@cairn/contracts';
import type { NewEvent, RunContext } from '@cairn/ledger';
import type { Tx } from '@cairn/postgres';
import { analyseFindings, analyseSources } from './analyse.ts';
import { type FindingRecord, keepFindings, readFindings } from './finding-store.ts';
import { type PlacedConflict, placeOf } from './find-conflicts.ts';
import { keyOf } from './lanes.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import { inputOf } from './run-input.ts';
import { readSources, type SourceRecord } from './source-store.ts';
import type { WorkParts } from './work-parts.ts';

const LOOKED_UP_MAX = 12;
const CONFLICTS_MAX = 30;

/**
 * Compares what the sources say: each finding that gives a value or denies something is looked up again in the
 * memory, and statements of all that was read that cannot be true together with it are reported, each side cited.
 */
export async function checkSources(parts: WorkParts, context: RunContext): Promise<void> {
  const findings = await parts.database.withTenant(context.tenantId, (tx) => readFindings(tx, context.runId));
  if (inputOf(context).sources.includes('memory')) await lookUpAgain(parts, context, findings);
  await context.step('check/conflicts', async () => {
    const sources = await parts.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
    );
    const { result, skipped } = await analyseSources(parts, context, 'findConflicts', sources, (some) => ({
      findings,
      sources: some.map(({ source_id, title, body }) => ({ source_id, title, body })),
    }));
    const conflicts = result.slice(0, CONFLICTS_MAX);
    return {
      result: conflicts.length,
      events: skipped,
      commit: (tx) => keepConflicts(tx, context, conflicts, sources, findings),
    };
  });
}

async function lookUpAgain(parts: WorkParts, context: RunContext, findings: readonly FindingRecord[]): Promise<void> {
  const contestable = await analyseFindings(parts, context, 'contestable', findings);
  const strongest = contestable.toSorted((a, b) => b.score - a.score).slice(0, LOOKED_UP_MAX);
  await Promise.all(
    strongest.map(async ({ quote }) => {
      const docIds = await searchMemory(parts, context, `check/${keyOf(quote)}`, quote.slice(0, 500), {
        chunks: 5,
        documents: 3,
      });
      await Promise.all(docIds.map((docId) => readDocument(parts, context, docId)));
    }),
  );
}

/** Both sides become findings, so that the report may cite them. */
async function keepConflicts(
  tx: Tx,
  context: RunContext,
  conflicts: readonly PlacedConflict[],
  sources: readonly SourceRecord[],
  findings: readonly FindingRecord[],
): Promise<NewEvent[]> {
  const titleOf = (id: string) => sources.find(({ source_id }) => source_id === id)?.title ?? '';
  const known = new Map(findings.map((finding) => [`${finding.source_id}/${finding.start_at}`, finding.finding_id]));
  const missing = conflicts.flatMap(({ a, b }) => [a, b]).filter((side) => !known.has(placeOf(side)));
  const events = await keepFindings(
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
