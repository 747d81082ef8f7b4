import { newId } from '@cairn/contracts';
import type { NewEvent, RunContext } from '@cairn/ledger';
import type { Tx } from '@cairn/postgres';
import { type Breathe, breathing } from '../text/breathing.ts';
import { statementsOf } from '../text/statements.ts';
import { stemsOf } from '../text/words.ts';
import { type Claim, claimOf, type Conflict, conflictsAmong } from './conflicts.ts';
import { type FindingRecord, keepFindings, readFindings } from './finding-store.ts';
import { isTelling, overlap } from './find-statements.ts';
import { keyOf } from './lanes.ts';
import { readDocument, searchMemory } from './read-memory.ts';
import { inputOf } from './run-input.ts';
import { readSources, type SourceRecord } from './source-store.ts';
import type { WorkParts } from './work-parts.ts';

const LOOKED_UP_MAX = 12;
const CONFLICTS_MAX = 30;
/** Share of a finding's words that a statement must have to be worth comparing. */
const WORTH_COMPARING = 0.5;
/** Statements that one finding is compared with. */
const COMPARED_MAX = 500;

/**
 * Compares what the sources say: each finding that gives a value or denies something is looked up again in the
 * memory, and statements of all that was read that cannot be true together with it are reported, each side cited.
 */
export async function checkSources(parts: WorkParts, context: RunContext): Promise<void> {
  const findings = await parts.database.withTenant(context.tenantId, (tx) => readFindings(tx, context.runId));
  if (inputOf(context).sources.includes('memory')) await lookUpAgain(parts, context, findings);
  await context.step('check/conflicts', async (signal) => {
    const sources = await parts.database.withTenant(context.tenantId, (tx) =>
      readSources(tx, context.runId, { kinds: ['memory', 'web', 'upload'] }),
    );
    const conflicts = (await conflictsWith(findings, sources, breathing(signal))).slice(0, CONFLICTS_MAX);
    return { result: conflicts.length, commit: (tx) => keepConflicts(tx, context, conflicts, sources, findings) };
  });
}

async function lookUpAgain(parts: WorkParts, context: RunContext, findings: readonly FindingRecord[]): Promise<void> {
  const telling = findings.filter(({ finding_id, source_id, quote }) => {
    const claim = claimOf(finding_id, source_id, quote);
    return claim.values.length > 0 || claim.denies;
  });
  const strongest = telling.toSorted((a, b) => b.score - a.score).slice(0, LOOKED_UP_MAX);
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

interface Placed extends Claim {
  start: number;
  quote: string;
  topic: string;
}

type PlacedConflict = Conflict & { a: Placed; b: Placed };

/** Conflicts of findings with any statement of the sources, the findings' own included. */
async function conflictsWith(
  findings: readonly FindingRecord[],
  sources: readonly SourceRecord[],
  breathe: Breathe,
): Promise<PlacedConflict[]> {
  const mine = findings.map((finding): Placed => {
    const { finding_id, source_id, quote, start_at, topic } = finding;
    return { ...claimOf(finding_id, source_id, quote), start: start_at, quote, topic };
  });
  const near = await statementsNear(mine, sources, breathe);
  const seen = new Set<string>();
  const conflicts: PlacedConflict[] = [];
  for (const claim of mine) {
    for (const other of near.get(claim) ?? []) {
      await breathe();
      const [found] = conflictsAmong([claim, other]);
      const pair = [place(claim), place(other)].sort().join(' ');
      if (found === undefined || seen.has(pair)) continue;
      seen.add(pair);
      conflicts.push({ ...found, a: claim, b: other });
    }
  }
  return conflicts;
}

/** For each claim the statements that have enough of its words, but itself. */
async function statementsNear(
  claims: readonly Placed[],
  sources: readonly SourceRecord[],
  breathe: Breathe,
): Promise<Map<Placed, Placed[]>> {
  const byStem = new Map<string, Placed[]>();
  for (const claim of claims) for (const stem of claim.about) byStem.set(stem, [...(byStem.get(stem) ?? []), claim]);
  const near = new Map<Placed, Placed[]>();
  for (const source of sources) {
    for (const statement of statementsOf(source.body)) {
      await breathe();
      if (!isTelling(statement)) continue;
      const stems = new Set(stemsOf(statement.text));
      for (const claim of new Set([...stems].flatMap((stem) => byStem.get(stem) ?? []))) {
        const found = near.get(claim) ?? [];
        const own = source.source_id === claim.sourceId && statement.start === claim.start;
        if (own || found.length >= COMPARED_MAX || overlap(claim.about, stems) < WORTH_COMPARING) continue;
        const id = `${source.source_id}/${statement.start}`;
        const made = claimOf(id, source.source_id, statement.text);
        found.push({ ...made, start: statement.start, quote: statement.text, topic: claim.topic });
        near.set(claim, found);
      }
    }
  }
  return near;
}

const place = (claim: Placed) => `${claim.sourceId}/${claim.start}`;

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
  const missing = conflicts.flatMap(({ a, b }) => [a, b]).filter((side) => !known.has(place(side)));
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
      finding_id: known.get(place(side))!,
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
