import type { Tx } from '@cairn/postgres';
import type { RunContext } from '../ledger/run-context.ts';
import { type FoundRow, mergedSources } from '../lists/complete-rows.ts';
import type { Cell, RowSource } from '../lists/list-store.ts';

/** Records of a run that wait until more is known; further ones are left out. */
const PENDING_MAX = 10_000;
/** Pages of a template that must be about entities asked for before those that are only listed are taken for such too. */
export const CONFIRMED_PAGES_MIN = 3;
/** In place of a template: rows whose turn comes, because a page has more of them than a transaction takes. */
const WAITING = 'waiting';

interface PendingRecord extends FoundRow {
  /** Of the entity's own page; null when nothing says of which kind it is. */
  template: string | null;
}

/** Stores rows of a page that the list takes later. */
export function storeWaitingRows(tx: Tx, context: RunContext, rows: readonly FoundRow[]): Promise<void> {
  const waiting = rows.map((row) => ({ ...row, template: WAITING, identityKey: `${WAITING} ${row.identityKey}` }));
  return insertRecords(tx, context, waiting, { isListed: false });
}

/** Stores records that become rows only when more is known. */
export async function storePendingRecords(
  tx: Tx,
  context: RunContext,
  records: readonly PendingRecord[],
  { isListed }: { isListed: boolean },
): Promise<void> {
  if (records.length === 0) return;
  const [{ stored }] = (await tx.query<{ stored: number }>(
    'SELECT count(*)::int AS stored FROM crawl_records WHERE run_id = $1',
    [context.runId],
  )) as [{ stored: number }];
  await insertRecords(tx, context, records.slice(0, Math.max(0, PENDING_MAX - stored)), { isListed });
}

async function insertRecords(
  tx: Tx,
  context: RunContext,
  records: readonly PendingRecord[],
  { isListed }: { isListed: boolean },
): Promise<void> {
  const known = await tx.query<{ identity_key: string; cells: Record<string, Cell>; sources: RowSource[] }>(
    'SELECT identity_key, cells, sources FROM crawl_records WHERE run_id = $1 AND identity_key = ANY($2)',
    [context.runId, records.map(({ identityKey }) => identityKey)],
  );
  const merged = new Map<string, Pick<PendingRecord, 'cells' | 'sources'> & Partial<PendingRecord>>(
    known.map(({ identity_key, cells, sources }) => [identity_key, { cells, sources }]),
  );
  for (const record of records) {
    const before = merged.get(record.identityKey);
    const cells = { ...before?.cells, ...record.cells };
    merged.set(record.identityKey, { ...record, cells, sources: mergedSources(before?.sources ?? [], record.sources) });
  }
  const rows = [...merged].flatMap(([identity_key, { name, template = null, cells, sources }]) =>
    name === undefined ? [] : [{ identity_key, name, template, cells, sources }],
  );
  await tx.execute(
    `INSERT INTO crawl_records (tenant_id, run_id, identity_key, template, is_listed, name, cells, sources)
     SELECT $1, $2, record ->> 'identity_key', record ->> 'template', $4, record ->> 'name', record -> 'cells', record -> 'sources'
       FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS given (record, place) ORDER BY place
     ON CONFLICT (run_id, identity_key) DO UPDATE SET is_listed = EXCLUDED.is_listed AND crawl_records.is_listed,
       cells = EXCLUDED.cells, sources = EXCLUDED.sources`,
    [context.tenantId, context.runId, JSON.stringify(rows), isListed],
  );
}

/**
 * Which records are taken: rows whose turn has come, those that lists name of one template or of any that has proven to
 * be about entities asked for, those that nothing says the kind of, and of these the ones whose entity is a row: a list
 * has said what they are, and its page says the rest.
 */
type Selection = 'waiting' | { template: string } | 'proven' | 'unknown' | 'of rows';

/** Takes at most so many of the stored records, the oldest first. */
export async function takePendingRecords(
  tx: Tx,
  { runId, listId }: { runId: string; listId: string },
  which: Selection,
  limit: number,
): Promise<FoundRow[]> {
  const [condition, value] = conditionOf(which);
  const rows = await tx.query<{
    identity_key: string;
    name: string;
    cells: Record<string, Cell>;
    sources: RowSource[];
    position: number;
  }>(
    `DELETE FROM crawl_records WHERE run_id = $1 AND identity_key IN
       (SELECT identity_key FROM crawl_records WHERE run_id = $1 AND ${condition} AND $4::text IS NOT NULL ORDER BY position LIMIT $3)
     RETURNING *`,
    [runId, value, limit, listId],
  );
  return rows
    .toSorted((a, b) => a.position - b.position)
    .map(({ identity_key, name, cells, sources }) => ({
      identityKey: which === 'waiting' ? identity_key.slice(WAITING.length + 1) : identity_key,
      name,
      cells,
      sources,
    }));
}

/** Pages of one title are one list. */
const listOf = (table: 'crawl_records' | 'list_rows') =>
  `regexp_replace(${table}.sources -> 0 ->> 'title', '[0-9]+', '', 'g')`;

/** Listed records are taken when the list that names them names a row, too: a site's other lists are of other kinds. */
const ON_LIST_OF_ROWS = `is_listed AND ${listOf('crawl_records')} IN
  (SELECT ${listOf('crawl_records')} FROM crawl_records JOIN list_rows ON list_rows.identity_key = crawl_records.identity_key COLLATE "C"
    WHERE crawl_records.run_id = $1 AND is_listed AND list_rows.list_id = $4
   UNION SELECT ${listOf('list_rows')} FROM list_rows WHERE list_id = $4)`;

function conditionOf(which: Selection): [condition: string, value: string | number] {
  if (which === 'waiting') return ['NOT is_listed AND template = $2', WAITING];
  if (which === 'unknown') return ['NOT is_listed AND coalesce(template, $2) = $2', ''];
  if (which === 'of rows')
    return [
      `NOT is_listed AND coalesce(template, $2) = $2 AND EXISTS (SELECT FROM list_rows
         WHERE list_rows.list_id = $4 AND list_rows.identity_key = crawl_records.identity_key COLLATE "C")`,
      '',
    ];
  if (which === 'proven')
    return [
      `template IN (SELECT template FROM crawl_templates WHERE run_id = $1 AND matched >= $2 AND others = 0)
         AND ${ON_LIST_OF_ROWS}`,
      CONFIRMED_PAGES_MIN,
    ];
  return [`template = $2 AND ${ON_LIST_OF_ROWS}`, which.template];
}
