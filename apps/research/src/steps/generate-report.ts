import type { RunContext } from '../ledger/run-context.ts';
import type { Tx } from '@cairn/postgres';
import { changeRecord } from '../runs/run-record.ts';
import { analyseFindings } from './analyse.ts';
import { type FindingRecord, readFindings } from '../sources/finding-store.ts';
import type { ModelDeps, ModelResult } from './ask-model.ts';
import type { ReportEvidence, ReportFinding, ReportRequest } from '../analysis/report-types.ts';
import { readComputedAnswers } from '../sources/computed-answer-store.ts';
import { readSources } from '../sources/source-store.ts';
import type { CheckedDraft, DraftReport } from '../analysis/report-draft.ts';
import type { NewEvent } from '../ledger/run.ts';
import { draftReport } from './draft-report.ts';

/** Generates the report of a run from its findings and streams it section by section. */
export async function generateReport(
  deps: ModelDeps,
  context: RunContext,
  request: ReportRequest,
): Promise<{ report: string }> {
  return context.step('report', async (signal) => {
    const { findings, beside, ...evidence } = await deps.database.withTenant(context.tenantId, (tx) =>
      readEvidence(tx, context.runId),
    );
    // The model numbers those that answer something, so they come first.
    const task = { request, findings: [...findings, ...beside], ...evidence };
    const offline = await analyseFindings(deps, context, 'writeReport', task);
    const draft = findings.length === 0 ? null : await draftReport(deps, context, request, findings, signal);
    const written = draft === null ? null : await checkDraft(deps, context, draft, task);
    const { markdown, sections, citations } = written ?? offline;
    const generated = written !== null;
    return {
      result: { report: markdown },
      events: [
        ...sections.map((text) => ({ type: 'report.delta', data: { text } })),
        { type: 'report.ready', data: { report: markdown, citations, generated } },
        ...(draft?.events ?? []),
        ...droppedEvents(draft?.value ?? null, written),
      ],
      commit: async (tx) => {
        await changeRecord(tx, context.runId, { report: markdown, citations, generated });
        await draft?.commit(tx);
      },
      ...(draft === null ? {} : { onDiscarded: draft.onDiscarded }),
    };
  });
}

/**
 * The report from the sentences of a draft that their findings support; null when there are none. A check that fails or
 * is broken off discards the step, but the draft has been paid for.
 */
async function checkDraft(
  deps: ModelDeps,
  context: RunContext,
  { value: draft, onDiscarded }: ModelResult<DraftReport>,
  task: { request: ReportRequest; findings: readonly ReportFinding[] } & ReportEvidence,
): Promise<CheckedDraft | null> {
  if (draft === null) return null;
  try {
    return await analyseFindings(deps, context, 'checkDraft', { ...task, draft });
  } catch (error) {
    // If this fails too, the cost is lost together with the database.
    await deps.database.withTenant(context.tenantId, onDiscarded).catch(() => undefined);
    throw error;
  }
}

/** Says how much of what a model wrote is not in the report, and why. */
function droppedEvents(draft: DraftReport | null, written: CheckedDraft | null): NewEvent[] {
  if (draft === null || (written !== null && written.dropped === 0)) return [];
  const note =
    written === null
      ? 'no sentence of the model is supported by what it cites; the report was written without it'
      : `${written.dropped} sentences of the model are not supported by what they cite, and were left out`;
  return [{ type: 'run.progress', data: { stage: 'report', percent: 95, note } }];
}

/**
 * All that a report is written from. `beside` are the rows that computed answers show, and both sides of what newer
 * sources replace: they are cited, though they answer nothing.
 */
async function readEvidence(
  tx: Tx,
  runId: string,
): Promise<ReportEvidence & { findings: ReportFinding[]; beside: ReportFinding[] }> {
  const conflicts = await readConflicts(tx, runId);
  const computed = await readComputedAnswers(tx, runId);
  const superseded = await tx.query<{ newer_id: string; older_id: string }>(
    'SELECT newer_id, older_id FROM successions WHERE run_id = $1 ORDER BY newer_id, older_id',
    [runId],
  );
  const all = await readFindings(tx, runId);
  const current = new Set(currentFindings(all, conflicts).map(({ finding_id }) => finding_id));
  const cited = new Set([
    ...computed.flatMap(({ finding_ids }) => finding_ids),
    ...superseded.flatMap(({ newer_id, older_id }) => [newer_id, older_id]),
  ]);
  const wanted = all.filter((finding) => current.has(finding.finding_id) || cited.has(finding.finding_id));
  const sourced = await withSources(tx, runId, wanted);
  return {
    findings: sourced.filter(({ finding_id }) => current.has(finding_id)),
    beside: sourced.filter(({ finding_id }) => !current.has(finding_id)),
    conflicts,
    computed,
    superseded,
    ...(all.length > 0 ? {} : { read: await titlesRead(tx, runId) }),
  };
}

/** Ids differ from run to run, but the titles of equal runs come in one order. */
async function titlesRead(tx: Tx, runId: string): Promise<string[]> {
  const rows = await tx.query<{ title: string }>(
    'SELECT title FROM sources WHERE run_id = $1 ORDER BY title COLLATE "C", source_id LIMIT 1000',
    [runId],
  );
  return rows.map(({ title }) => title);
}

/**
 * The findings that answer something or take a side in a disagreement, with the titles and addresses of their sources,
 * in an order that is theirs.
 */
export async function readReportFindings(tx: Tx, runId: string): Promise<ReportFinding[]> {
  const conflicts = await readConflicts(tx, runId);
  return withSources(tx, runId, currentFindings(await readFindings(tx, runId), conflicts));
}

function readConflicts(tx: Tx, runId: string): Promise<{ finding_ids: string[] }[]> {
  return tx.query('SELECT finding_ids FROM conflicts WHERE run_id = $1 ORDER BY conflict_id', [runId]);
}

/**
 * The findings that answer something, or take a side in a disagreement. What the first round noted and the last did not
 * is out of date: with more sources it was weighed again and left out, because a newer one says otherwise, for instance.
 */
function currentFindings(
  findings: readonly FindingRecord[],
  conflicts: readonly { finding_ids: readonly string[] }[],
): FindingRecord[] {
  const sides = new Set(conflicts.flatMap(({ finding_ids }) => finding_ids));
  return findings.filter(({ answers, finding_id }) => answers.length > 0 || sides.has(finding_id));
}

async function withSources(tx: Tx, runId: string, findings: readonly FindingRecord[]): Promise<ReportFinding[]> {
  const ids = [...new Set(findings.map(({ source_id }) => source_id))];
  const sources = new Map((await readSources(tx, runId, { ids })).map((source) => [source.source_id, source]));
  const titled = findings.map((finding) => {
    const source = sources.get(finding.source_id);
    return { ...finding, title: source?.title ?? '', uri: source?.uri ?? null };
  });
  // Ids differ from run to run, but equal runs report equally.
  const placeOf = ({ title, uri, start_at: at, quote }: ReportFinding) =>
    JSON.stringify([title, uri, String(at).padStart(9, '0'), quote]);
  return titled.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}
