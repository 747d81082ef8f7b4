import type { Tx } from '@cairn/postgres';
import type { DocumentRow } from '../../documents/document-store.ts';
import { type DocumentsFilter, listDocumentRows } from '../../documents/list-document-rows.ts';
import { removableAtOnce } from '../../documents/remove-documents.ts';
import type { ClosedVaults } from '../../memories/closed-scopes.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import type { DocumentJobRow, StoredFilter } from './job-store.ts';

/** The documents of one step, locked until its transaction ends. */
export interface TakenDocuments {
  rows: DocumentRow[];
  /** Ids that were asked for and are not there, or not for the job. */
  missing: string[];
  position: string;
  isLast: boolean;
}

/** The conditions of a job by a filter, as the list of documents has them. */
export function conditionsOf(
  { kind, vault_id, filter }: Pick<DocumentJobRow, 'kind' | 'vault_id'> & { filter: StoredFilter },
  closedVaults: ClosedVaults,
): DocumentsFilter {
  return {
    statuses: kind === 'retry' ? ['failed'] : filter.status,
    externalId: filter.external_id,
    words: filter.query,
    needsReview: filter.needs_review,
    vaultId: vault_id ?? undefined,
    closedVaults,
  };
}

/** Takes the next documents of the job, at most `max`. */
export async function takeDocuments(
  tx: Tx,
  scope: MemoryScope,
  job: DocumentJobRow,
  { closedVaults, max }: { closedVaults: ClosedVaults; max: number },
): Promise<TakenDocuments> {
  if (job.doc_ids !== null) return takeByIds(tx, scope, { ...job, doc_ids: job.doc_ids }, closedVaults, max);
  const conditions = conditionsOf({ ...job, filter: job.filter ?? {} }, closedVaults);
  const listing = { ...conditions, order: 'oldest', after: job.position, fetch: max } as const;
  const { rows: listed, lookedUpTo } = await listDocumentRows(tx, scope, listing);
  const found = listed.filter((row) => row.doc_id <= job.up_to);
  const some = removableAtOnce(found);
  const docIds = (await lockAll(tx, scope, some)).map((row) => row.doc_id);
  // What was changed before it was locked may not match any more, and what is locked stays as it is. Read by id: the
  // same page would leave out its last documents when others before them match by now.
  const again = { ...conditions, docIds, order: 'oldest', after: '', fetch: null } as const;
  const { rows: matching } = await listDocumentRows(tx, scope, again);
  // Ids are made by the clocks of replicas, times by the database's.
  const still = matching.filter((row) => row.created_at <= job.created_at);
  const isCut = some.length < found.length;
  const reached = isCut || listed.length === max ? null : lookedUpTo;
  const position = reached ?? some.at(-1)?.doc_id ?? job.position;
  const isLast = !isCut && (found.length < listed.length || (listed.length < max && lookedUpTo === null));
  return { rows: still, missing: [], position, isLast: isLast || position >= job.up_to };
}

async function takeByIds(
  tx: Tx,
  scope: MemoryScope,
  job: DocumentJobRow & { doc_ids: string[] },
  closedVaults: ClosedVaults,
  max: number,
): Promise<TakenDocuments> {
  const left = job.doc_ids.filter((docId) => docId > job.position);
  const wanted = left.slice(0, max);
  const locked = await lockAll(
    tx,
    scope,
    wanted.map((doc_id) => ({ doc_id })),
  );
  const byId = new Map(locked.filter((row) => isReached(job, closedVaults, row)).map((row) => [row.doc_id, row]));
  const some = removableAtOnce(wanted.map((doc_id) => byId.get(doc_id) ?? { doc_id, chunk_count: 0 }));
  const rows = some.flatMap(({ doc_id }) => byId.get(doc_id) ?? []);
  const missing = some.map(({ doc_id }) => doc_id).filter((docId) => !byId.has(docId));
  return { rows, missing, position: some.at(-1)?.doc_id ?? job.position, isLast: some.length === left.length };
}

function isReached(job: DocumentJobRow, closedVaults: ClosedVaults, { vault_id }: DocumentRow): boolean {
  return (job.vault_id === null || job.vault_id === vault_id) && !closedVaults.has(vault_id);
}

async function lockAll(tx: Tx, scope: MemoryScope, rows: readonly { doc_id: string }[]): Promise<DocumentRow[]> {
  return tx.query<DocumentRow>(
    'SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) ORDER BY doc_id FOR UPDATE',
    [scope.tenantId, scope.memoryId, rows.map((row) => row.doc_id)],
  );
}
