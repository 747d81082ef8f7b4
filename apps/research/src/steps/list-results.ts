import { cutText } from '@cairn/language';
import type { RunContext } from '../ledger/run-context.ts';
import { addRow } from '../lists/list-store.ts';
import { analyseFindings } from './analyse.ts';
import type { ReportFinding } from '../analysis/report-types.ts';
import { inputOf } from '../runs/run-input.ts';
import type { WorkDeps } from './work-deps.ts';
import { readReportFindings } from './generate-report.ts';

const QUOTES_MAX = 3;
const VALUE_MAX_CHARS = 500;

/** Writes a list row for each source of the run's findings, most relevant first. */
export async function listResults(deps: WorkDeps, context: RunContext): Promise<number> {
  const { list_id: listId } = inputOf(context);
  if (listId === null) return 0;
  const findings = await deps.database.withTenant(context.tenantId, (tx) => readReportFindings(tx, context.runId));
  const bySource = Map.groupBy(findings, ({ source_id }) => source_id);
  const weight = (group: readonly ReportFinding[]) => group.reduce((sum, { score }) => sum + score, 0);
  const ranked = [...bySource.values()].sort((a, b) => weight(b) - weight(a));
  const best = Math.max(1e-9, ...ranked.map(weight));
  for (const group of ranked) {
    const [{ source_id, title, uri }] = group as [ReportFinding];
    await context.step(`list/${source_id}`, async () => {
      const strongest = group.toSorted((a, b) => b.score - a.score).slice(0, QUOTES_MAX);
      const quotes = strongest.map(({ quote }) => quote);
      const plain = await analyseFindings(deps, context, 'plainTexts', quotes);
      return {
        result: null,
        commit: async (tx) => {
          const evidence = strongest.map(({ quote, start_at: start }) => ({ source_id, title, uri, quote, start }));
          const relevance = Math.round((weight(group) / best) * 100) / 100;
          const summary = cutText(plain.join(' '), VALUE_MAX_CHARS);
          const cells = {
            ...(uri === null ? {} : { address: { value: uri, confidence: 1, evidence: [] } }),
            summary: { value: summary, confidence: Math.min(1, strongest[0]!.score), evidence },
            relevance: { value: relevance.toFixed(2), confidence: 1, evidence: [] },
          };
          const sources = [{ source_id, title, uri }];
          const row = { tenantId: context.tenantId, listId, identityKey: source_id, name: title, cells, sources };
          const rowId = await addRow(tx, row);
          return rowId === null ? [] : [{ type: 'row.matched', data: { row_id: rowId, name: title, cells } }];
        },
      };
    });
  }
  return ranked.length;
}
