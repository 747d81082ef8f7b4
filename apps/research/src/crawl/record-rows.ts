import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { addRow, type Cell, countRows } from '../lists/list-store.ts';
import type { PlacedRecord } from '../records/place-records.ts';
import { storeFindings } from '../sources/finding-store.ts';
import type { Tx } from '@cairn/postgres';

/** What a crawl collects, and where. */
export interface RecordTarget {
  listId: string;
  /** The question that the rows answer. */
  topic: string;
}

export interface RecordSource {
  source_id: string;
  title: string;
  uri: string;
}

interface NewRow {
  identityKey: string;
  name: string;
  cells: Record<string, Cell>;
  sources: RecordSource[];
}

const ROWS_MAX = 10_000;
const EVIDENCE_MAX = 3;
const SOURCES_MAX = 5;

export function rowOf(record: PlacedRecord, source: RecordSource): NewRow {
  const cells = Object.entries(record.cells).map(([column, { value, confidence, quote, start }]) => {
    const evidence = quote === '' ? [] : [{ ...source, quote, start }];
    return [column, { value, confidence, evidence }] as const;
  });
  return { identityKey: keyOf(record), name: record.name, cells: Object.fromEntries(cells), sources: [source] };
}

/** The entity's own address, or its name. */
function keyOf({ url, name }: Pick<PlacedRecord, 'url' | 'name'>): string {
  return url === null ? `name ${plainName(name)}` : url.split('#', 1)[0]!;
}

function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Adds a row, or completes the row of the same entity with what is new. `brought` is false when the row knew it all.
 * A row is known by its address or by its name, unless their cells say that two entities share the name.
 */
export async function putRow(
  tx: Tx,
  context: RunContext,
  { listId, topic }: RecordTarget,
  row: NewRow,
): Promise<{ brought: boolean; events: NewEvent[] }> {
  const [known] = (
    await tx.query<{
      row_id: string;
      identity_key: string;
      name: string;
      cells: Record<string, Cell>;
      sources: RecordSource[];
    }>(
      `SELECT row_id, identity_key, name, cells, sources FROM list_rows
        WHERE list_id = $1 AND (identity_key = $2 OR lower(name) = lower($3)) ORDER BY identity_key = $2 DESC LIMIT 5`,
      [listId, row.identityKey, row.name],
    )
  ).filter((one) => one.identity_key === row.identityKey || !isContradicted(one.cells, row.cells));
  const findings = () => storeFindings(tx, context, findingsOf(row, topic));
  if (known === undefined) {
    if ((await countRows(tx, listId)) >= ROWS_MAX) return { brought: false, events: [] };
    const rowId = await addRow(tx, { tenantId: context.tenantId, listId, ...row });
    if (rowId === null) return { brought: false, events: [] };
    const matched = { type: 'row.matched', data: { row_id: rowId, name: row.name, cells: row.cells } };
    return { brought: true, events: [matched, ...(await findings())] };
  }
  const cells = mergedCells(known.cells, row.cells);
  if (JSON.stringify(cells) === JSON.stringify(known.cells)) return { brought: false, events: [] };
  const sources = [
    ...known.sources,
    ...row.sources.filter((one) => !known.sources.some(({ source_id }) => source_id === one.source_id)),
  ].slice(0, SOURCES_MAX);
  await tx.execute('UPDATE list_rows SET cells = $2, sources = $3 WHERE row_id = $1', [
    known.row_id,
    JSON.stringify(cells),
    JSON.stringify(sources),
  ]);
  const completed = { type: 'row.matched', data: { row_id: known.row_id, name: known.name, cells } };
  return { brought: true, events: [completed, ...(await findings())] };
}

function findingsOf(row: NewRow, topic: string) {
  return Object.values(row.cells)
    .flatMap(({ evidence, confidence }) => evidence.slice(0, 1).map((one) => ({ ...one, confidence })))
    .slice(0, EVIDENCE_MAX)
    .map(({ source_id, title, quote, start, confidence }) => ({
      source_id,
      title,
      quote,
      start_at: start,
      topic,
      score: confidence,
      answers: [{ question: topic, score: confidence }],
      as_of: null,
      is_old: false,
    }));
}

/** Two values that differ in a column that both have; a fuller form of the same value is no difference. */
function isContradicted(known: Record<string, Cell>, added: Record<string, Cell>): boolean {
  return Object.entries(added).some(([column, { value }]) => {
    const other = known[column]?.value;
    if (other === undefined) return false;
    const [a, b] = [plainName(value), plainName(other)];
    return !a.includes(b) && !b.includes(a);
  });
}

function mergedCells(known: Record<string, Cell>, added: Record<string, Cell>): Record<string, Cell> {
  const cells = { ...known };
  for (const [column, cell] of Object.entries(added)) {
    const before = cells[column];
    if (before === undefined || before.confidence < cell.confidence) cells[column] = cell;
  }
  return cells;
}

/** Keeps a record that is a row only when more is known. */
export async function keepRecord(
  tx: Tx,
  context: RunContext,
  row: NewRow,
  { template, isListed }: { template: string | null; isListed: boolean },
): Promise<void> {
  await tx.execute(
    `INSERT INTO crawl_records (tenant_id, run_id, identity_key, template, is_listed, name, cells, sources)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (run_id, identity_key) DO UPDATE SET is_listed = EXCLUDED.is_listed AND crawl_records.is_listed,
       cells = crawl_records.cells || EXCLUDED.cells, sources = EXCLUDED.sources`,
    [
      context.tenantId,
      context.runId,
      row.identityKey,
      template,
      isListed,
      row.name,
      JSON.stringify(row.cells),
      JSON.stringify(row.sources),
    ],
  );
}

/** Takes records that were kept: those that lists name of one template, or those of unknown kind. */
export async function takeRecords(tx: Tx, runId: string, which: { template: string } | 'unlisted'): Promise<NewRow[]> {
  const rows = await tx.query<{
    identity_key: string;
    name: string;
    cells: Record<string, Cell>;
    sources: RecordSource[];
    position: number;
  }>(
    which === 'unlisted'
      ? 'DELETE FROM crawl_records WHERE run_id = $1 AND NOT is_listed RETURNING *'
      : 'DELETE FROM crawl_records WHERE run_id = $1 AND is_listed AND template = $2 RETURNING *',
    which === 'unlisted' ? [runId] : [runId, which.template],
  );
  return rows
    .sort((a, b) => a.position - b.position)
    .map(({ identity_key, name, cells, sources }) => ({ identityKey: identity_key, name, cells, sources }));
}
