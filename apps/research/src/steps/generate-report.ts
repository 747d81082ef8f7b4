import type { RunContext } from '../ledger/run-context.ts';
import type { Tx } from '@cairn/postgres';
import { changeRecord } from '../runs/run-record.ts';
import { analyseFindings } from './analyse.ts';
import { readFindings } from '../sources/finding-store.ts';
import type { ModelDeps } from './ask-model.ts';
import type { ReportFinding, ReportRequest } from '../analysis/report-types.ts';
import { readSources } from '../sources/source-store.ts';
import { draftReport } from './draft-report.ts';

/** Generates the report of a run from its findings and streams it section by section. */
export async function generateReport(
  deps: ModelDeps,
  context: RunContext,
  request: ReportRequest,
): Promise<{ report: string }> {
  return context.step('report', async (signal) => {
    const { findings, conflicts } = await deps.database.withTenant(context.tenantId, async (tx) => ({
      findings: await readReportFindings(tx, context.runId),
      conflicts: await tx.query<{ finding_ids: string[] }>(
        'SELECT finding_ids FROM conflicts WHERE run_id = $1 ORDER BY conflict_id',
        [context.runId],
      ),
    }));
    const task = { request, findings, conflicts };
    const offline = await analyseFindings(deps, context, 'writeReport', task);
    // Contradictions are always reported verbatim, so a model drafts the report only when there are none.
    const draft =
      findings.length === 0 || conflicts.length > 0
        ? null
        : await draftReport(deps, context, request.title, findings, signal);
    const written =
      draft?.value == null
        ? null
        : await analyseFindings(deps, context, 'checkDraft', { request, draft: draft.value, findings });
    const { markdown, sections, citations } = written ?? offline;
    const generated = written !== null;
    return {
      result: { report: markdown },
      events: [
        ...sections.map((text) => ({ type: 'report.delta', data: { text } })),
        { type: 'report.ready', data: { report: markdown, citations, generated } },
        ...(draft?.events ?? []),
      ],
      commit: async (tx) => {
        await changeRecord(tx, context.runId, { report: markdown, citations, generated });
        await draft?.commit(tx);
      },
      ...(draft === null ? {} : { onDiscarded: draft.onDiscarded }),
    };
  });
}

/** The findings with the titles and addresses of their sources. */
export async function readReportFindings(tx: Tx, runId: string): Promise<ReportFinding[]> {
  const findings = await readFindings(tx, runId);
  const ids = [...new Set(findings.map(({ source_id }) => source_id))];
  const sources = new Map((await readSources(tx, runId, { ids })).map((source) => [source.source_id, source]));
  return findings.map((finding) => {
    const source = sources.get(finding.source_id);
    return { ...finding, title: source?.title ?? '', uri: source?.uri ?? null };
  });
}
