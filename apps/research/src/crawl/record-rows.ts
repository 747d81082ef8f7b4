import type { Tx } from '@cairn/postgres';
import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { completeRows, type FoundRow, plainName } from '../lists/complete-rows.ts';
import { identityKeyOf } from '../lists/identity-key.ts';
import type { RowSource } from '../lists/list-store.ts';
import type { PlacedRecord } from '../records/place-records.ts';
import { type NewFinding, storeFindings } from '../sources/finding-store.ts';

/** What a crawl collects, and where. */
export interface RecordTarget {
  listId: string;
  /** The question that the rows answer. */
  topic: string;
}

const EVIDENCE_MAX = 3;

/** Rows that are put into the list in one transaction, which holds the run. */
export const ROWS_AT_A_TIME = 100;

export function rowOf(record: PlacedRecord, source: RowSource): FoundRow {
  const cells = Object.entries(record.cells).map(([column, { value, confidence, quote, start }]) => {
    const evidence = quote === '' ? [] : [{ ...source, quote, start }];
    return [column, { value, confidence, evidence }] as const;
  });
  return { identityKey: keyOf(record), name: record.name, cells: Object.fromEntries(cells), sources: [source] };
}

/** The entity's own address, or its name. */
function keyOf({ url, name }: Pick<PlacedRecord, 'url' | 'name'>): string {
  // An address that is crawled fits into an index, as the frontier has one of them.
  return url === null ? identityKeyOf(`name ${plainName(name)}`) : url.split('#', 1)[0]!;
}

/** Adds rows to the list, or completes those of the same entities. `isNews` says of each whether it brought anything. */
export async function putRows(
  tx: Tx,
  context: RunContext,
  { listId, topic }: RecordTarget,
  rows: readonly FoundRow[],
): Promise<{ isNews: boolean[]; events: NewEvent[] }> {
  if (rows.length === 0) return { isNews: [], events: [] };
  const { isNews, brought } = await completeRows(tx, { tenantId: context.tenantId, listId }, rows);
  const matched = brought.map(({ rowId, name, cells }) => ({
    type: 'row.matched',
    data: { row_id: rowId, name, cells },
  }));
  const findings = rows.filter((_, at) => isNews[at] === true).flatMap((row) => findingsOf(row, topic));
  return { isNews, events: [...matched, ...(await storeFindings(tx, context, findings))] };
}

function findingsOf(row: FoundRow, topic: string): NewFinding[] {
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
