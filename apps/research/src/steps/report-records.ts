import { cutText } from '@cairn/language';
import { sanitizeProse } from '@cairn/prose';
import type { Citation } from '../analysis/report-types.ts';
import { titleLine } from '../analysis/report.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { type ListRowRecord, readRows } from '../lists/list-store.ts';
import { isNameColumn } from '../records/match-column.ts';
import type { RowQuery } from '../records/row-query.ts';
import { changeRecord } from '../runs/run-record.ts';
import { readFindings } from '../sources/finding-store.ts';
import type { WorkDeps } from './work-deps.ts';

const ROWS_SHOWN_MAX = 100;
const CELL_MAX_CHARS = 120;

/** The report of a crawl for records: the first rows as a table, each with the number of its source. */
export async function reportRecords(
  deps: WorkDeps,
  context: RunContext,
  { title, listId, query }: { title: string; listId: string; query: RowQuery },
): Promise<string> {
  const { report } = await context.step('report', async () => {
    const { rows, total, findings } = await deps.database.withTenant(context.tenantId, async (tx) => ({
      ...(await readRows(tx, listId, { offset: 0, limit: ROWS_SHOWN_MAX })),
      findings: await readFindings(tx, context.runId),
    }));
    const citations: Citation[] = [];
    const cite = (row: ListRowRecord): string => {
      const evidence = Object.values(row.cells).flatMap((cell) => cell.evidence)[0];
      const finding = findings.find((one) => one.source_id === evidence?.source_id && one.start_at === evidence.start);
      if (evidence === undefined || finding === undefined) return '';
      const { source_id, title: name, uri, quote, start } = evidence;
      const number = citations.length + 1;
      citations.push({ number, finding_id: finding.finding_id, source_id, title: name, uri, quote, start });
      return ` [${number}]`;
    };
    const asked = query.columns.filter((column) => !isNameColumn(column));
    const columns = asked.length > 0 ? asked : [...new Set(rows.flatMap((row) => Object.keys(row.cells)))].slice(0, 8);
    const lines = rows.map((row) => {
      const name = `${cellText(row.name)}${cite(row)}`;
      return `| ${[name, ...columns.map((column) => cellText(row.cells[column]?.value ?? ''))].join(' | ')} |`;
    });
    const head = [`| name | ${columns.map(cellText).join(' | ')} |`, `|${' --- |'.repeat(columns.length + 1)}`];
    const shown = total > rows.length ? ` The first ${rows.length} are shown; the list has all.` : '';
    const sources = citations.map(
      ({ number, title: name, uri }) =>
        `[${number}]: ${cellText(name)} <${(uri ?? '').replace(/[<>\s]/g, encodeURIComponent)}>`,
    );
    const sections = [
      titleLine(title),
      `${total} ${total === 1 ? 'row' : 'rows'}.${shown}\n\n${[...head, ...lines].join('\n')}\n`,
      `## Sources\n\n${sources.join('\n')}\n`,
    ];
    const markdown = sections.join('\n');
    return {
      result: { report: markdown },
      events: [
        ...sections.map((text) => ({ type: 'report.delta', data: { text } })),
        { type: 'report.ready', data: { report: markdown, citations, generated: false } },
      ],
      commit: (tx) => changeRecord(tx, context.runId, { report: markdown, citations, generated: false }),
    };
  });
  return report;
}

function cellText(text: string): string {
  const plain = sanitizeProse(text).replace(/[|<>[\]]/g, ' ');
  return cutText(plain.replace(/\s+/g, ' ').trim(), CELL_MAX_CHARS);
}
