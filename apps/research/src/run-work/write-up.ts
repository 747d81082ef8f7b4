import type { RunContext } from '@cairn/ledger';
import type { Tx } from '@cairn/postgres';
import { changeRecord } from '../runs/run-record.ts';
import { analyseFindings } from './analyse.ts';
import { readFindings } from './finding-store.ts';
import type { ModelParts } from './model-steps.ts';
import type { ReportFinding, ReportRequest } from './report.ts';
import { readSources } from './source-store.ts';
import { draftReport } from './write-with-model.ts';

/** Writes the report of a run from its findings and tells it piece by piece. */
export async function writeUp(
  parts: ModelParts,
  context: RunContext,
  request: ReportRequest,
): Promise<{ report: string }> {
  return context.step('report', async (signal) => {
    const { findings, conflicts } = await parts.database.withTenant(context.tenantId, async (tx) => ({
      findings: await reportFindings(tx, context.runId),
      conflicts: await tx.query<{ finding_ids: string[] }>(
        'SELECT finding_ids FROM conflicts WHERE run_id = $1 ORDER BY conflict_id',
        [context.runId],
      ),
    }));
    const task = { request, findings, conflicts };
    const offline = await analyseFindings(parts, context, 'writeReport', task);
    // Where sources disagree both sides are given as they stand, whoever writes the rest.
    const draft =
      findings.length === 0 || conflicts.length > 0
        ? null
        : await draftReport(parts, context, request.title, findings, signal);
    const written =
      draft?.value == null
        ? null
        : await analyseFindings(parts, context, 'judgeReport', { request, draft: draft.value, findings });
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
      ...(draft === null ? {} : { lost: draft.lost }),
    };
  });
}

/** The findings with what is known of their sources. */
export async function reportFindings(tx: Tx, runId: string): Promise<ReportFinding[]> {
  const findings = await readFindings(tx, runId);
  const ids = [...new Set(findings.map(({ source_id }) => source_id))];
  const sources = new Map((await readSources(tx, runId, { ids })).map((source) => [source.source_id, source]));
  return findings.map((finding) => {
    const source = sources.get(finding.source_id);
    return { ...finding, title: source?.title ?? '', uri: source?.uri ?? null };
  });
}
