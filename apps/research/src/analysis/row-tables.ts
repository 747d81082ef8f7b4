import { sanitizeProse } from '@cairn/prose';
import { plainText } from '@cairn/language';
import type { Citing } from './citations.ts';
import type { ReportFinding } from './report-types.ts';

interface Row {
  finding: ReportFinding;
  cells: [label: string, value: string][];
}

const COLUMNS_MAX = 8;

/** The cells of a quote that is a table's row: `Round: Seed; Lead: Bryn Partners`. */
function rowOf(finding: ReportFinding): Row | null {
  const cells = plainText(finding.quote)
    .split('; ')
    .map((cell): [string, string] => {
      const colon = cell.indexOf(': ');
      return colon === -1 ? ['', cell] : [cell.slice(0, colon), cell.slice(colon + 2)];
    });
  return cells.length < 2 || cells.length > COLUMNS_MAX || cells.some(([label]) => label === '')
    ? null
    : { finding, cells };
}

export function isRow(finding: ReportFinding): boolean {
  return rowOf(finding) !== null;
}

/** Splits findings into tables of at least two rows with the same columns, and the rest. */
export function tablesAmong(findings: readonly ReportFinding[]): { tables: Row[][]; rest: ReportFinding[] } {
  const rows = findings.flatMap((finding) => rowOf(finding) ?? []);
  const labelled = Map.groupBy(rows, ({ cells }) => cells.map(([label]) => label).join('\n'));
  const tables = [...labelled.values()].filter((group) => group.length >= 2);
  const inTables = new Set(tables.flat().map(({ finding }) => finding));
  return { tables, rest: findings.filter((finding) => !inTables.has(finding)) };
}

export function tableLines(rows: readonly Row[], citing: Citing): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const labels = rows[0]!.cells.map(([label]) => cellText(label.replace(/_/g, ' ')));
  return [
    line([...labels, 'Source']),
    line([...labels.map(() => '---'), '---']),
    ...rows.map(({ finding, cells }) => line([...cells.map(([, value]) => cellText(value)), citing.mark(finding)])),
  ].join('\n');
}

function cellText(text: string): string {
  return sanitizeProse(text.replace(/\[\d{1,6}\]/g, ''))
    .replace(/\s+/g, ' ')
    .replace(/\|/g, '/')
    .trim();
}
