import { likePattern, type Tx, sqlBuilder } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { DocumentRow, DocumentStatus } from './document-store.ts';

/** Documents that one page of a list looks at for a part of a title: all of them would be read for a word that none has. */
export const SCANNED_DOCUMENTS_MAX = 20_000;

export interface DocumentsFilter {
  statuses?: readonly DocumentStatus[] | undefined;
  externalId?: string | undefined;
  vaultId?: string | undefined;
  needsReview?: boolean | undefined;
  /** Part of the title or external id. */
  words?: string | undefined;
  closedVaults: ReadonlySet<string>;
}

interface Listing extends DocumentsFilter {
  /** Identifiers sort by when they were made. */
  order: 'oldest' | 'newest';
  /** The id that the page before ended with; empty for the first page. */
  after: string;
  /** Only these of them; undefined: all. */
  docIds?: readonly string[] | undefined;
  fetch: number | null;
}

/** What was found; `lookedUpTo` is the last document that was looked at when the page ended before the list did. */
interface FoundDocuments {
  rows: DocumentRow[];
  lookedUpTo: string | null;
}

export async function listDocumentRows(
  tx: Tx,
  scope: MemoryScope,
  { words, ...listing }: Listing,
): Promise<FoundDocuments> {
  const { fetch: rowsMax } = listing;
  const query = listingQuery(scope, listing);
  if (words === undefined || rowsMax === null) {
    const found = words === undefined ? query : withWords(query, words);
    return { rows: await tx.run<DocumentRow>(limited(found, rowsMax)), lookedUpTo: null };
  }
  const [end] = await tx.run<{ doc_id: string }>(
    listingQuery(scope, listing)
      .select('doc_id')
      .offset(SCANNED_DOCUMENTS_MAX - 1)
      .limit(1),
  );
  if (end !== undefined) void query.andWhere('doc_id', listing.order === 'newest' ? '>=' : '<=', end.doc_id);
  const rows = await tx.run<DocumentRow>(withWords(query, words).limit(rowsMax));
  return { rows, lookedUpTo: rows.length < rowsMax ? (end?.doc_id ?? null) : null };
}

/** How many documents the list has. */
export async function countListed(tx: Tx, scope: MemoryScope, { words, ...filter }: DocumentsFilter): Promise<number> {
  const query = listingQuery(scope, { ...filter, order: 'oldest', after: '' }).clearOrder();
  const counted = (words === undefined ? query : withWords(query, words)).count({ documents: '*' });
  const rows = await tx.run<{ documents: number }>(counted);
  return Number(rows[0]!.documents);
}

function listingQuery(scope: MemoryScope, { order, after, ...filter }: Omit<Listing, 'words' | 'fetch'>) {
  const isNewest = order === 'newest';
  const query = sqlBuilder('documents')
    .where({ tenant_id: scope.tenantId, memory_id: scope.memoryId })
    .orderBy('doc_id', isNewest ? 'desc' : 'asc');
  if (after !== '') void query.andWhere('doc_id', isNewest ? '<' : '>', after);
  if (filter.docIds !== undefined) void query.whereIn('doc_id', [...filter.docIds]);
  if (filter.closedVaults.size > 0) void query.whereNotIn('vault_id', [...filter.closedVaults]);
  if (filter.vaultId !== undefined) void query.andWhere({ vault_id: filter.vaultId });
  if (filter.statuses !== undefined) void query.whereIn('status', [...filter.statuses]);
  if (filter.externalId !== undefined) void query.andWhere({ external_id: filter.externalId });
  if (filter.needsReview !== undefined) void query.andWhere({ needs_review: filter.needsReview });
  return query;
}

type Query = ReturnType<typeof listingQuery>;

function limited(query: Query, rowsMax: number | null): Query {
  return rowsMax === null ? query : query.limit(rowsMax);
}

function withWords(query: Query, words: string): Query {
  const pattern = likePattern(words);
  return query.andWhere((either) => either.whereILike('title', pattern).orWhereILike('external_id', pattern));
}
