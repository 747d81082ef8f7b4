import type { Tx } from '@cairn/postgres';
import { sqlBuilder } from '@cairn/postgres';

export type DocumentStatus =
  | 'queued'
  | 'parsing'
  | 'screening'
  | 'routing'
  | 'indexing'
  | 'linking'
  | 'completed'
  | 'failed';

export interface DocumentRow {
  tenant_id: string;
  memory_id: string;
  doc_id: string;
  workspace_id: string;
  livemode: boolean;
  vault_id: string;
  space_id: string | null;
  external_id: string | null;
  title: string;
  source_uri: string | null;
  media_type: string;
  metadata: Record<string, unknown>;
  content_sha256: Buffer;
  content_bytes: number;
  occurred_at: Date | null;
  status: DocumentStatus;
  error_code: string | null;
  error_message: string | null;
  chunk_count: number;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
}

export interface MemoryScope {
  tenantId: string;
  memoryId: string;
}

export type NewDocumentRow = Pick<
  DocumentRow,
  | 'doc_id'
  | 'workspace_id'
  | 'livemode'
  | 'vault_id'
  | 'space_id'
  | 'external_id'
  | 'title'
  | 'media_type'
  | 'metadata'
  | 'content_sha256'
  | 'content_bytes'
  | 'occurred_at'
>;

/** The row as inserted, or null when another document stands in its place already. */
export async function insertDocument(tx: Tx, scope: MemoryScope, row: NewDocumentRow): Promise<DocumentRow | null> {
  const rows = await tx.query<DocumentRow>({
    name: 'document_insert',
    text: `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, space_id, external_id, title, media_type, metadata,
                                  content_sha256, content_bytes, occurred_at, status)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'queued')
           ON CONFLICT DO NOTHING RETURNING *`,
    values: [
      scope.tenantId,
      scope.memoryId,
      row.doc_id,
      row.workspace_id,
      row.livemode,
      row.vault_id,
      row.space_id,
      row.external_id,
      row.title,
      row.media_type,
      JSON.stringify(row.metadata),
      row.content_sha256,
      row.content_bytes,
      row.occurred_at,
    ],
  });
  return rows[0] ?? null;
}

/** The document in whose place another would stand: the same external id, or the same content without one. */
export async function lockTwin(tx: Tx, scope: MemoryScope, row: NewDocumentRow): Promise<DocumentRow | null> {
  const byExternalId = row.external_id !== null;
  const rows = await tx.query<DocumentRow>(
    `SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3
       AND ${byExternalId ? 'external_id = $4' : "external_id IS NULL AND content_sha256 = $4 AND status <> 'failed'"} FOR UPDATE`,
    [scope.tenantId, scope.memoryId, row.vault_id, byExternalId ? row.external_id : row.content_sha256],
  );
  return rows[0] ?? null;
}

/** A new version under the same external id: everything but its identity is replaced and it is queued again. */
export async function replaceDocument(
  tx: Tx,
  scope: MemoryScope,
  docId: string,
  row: NewDocumentRow,
): Promise<DocumentRow> {
  const rows = await tx.query<DocumentRow>(
    `UPDATE documents SET title = $4, media_type = $5, metadata = $6, content_sha256 = $7, content_bytes = $8, occurred_at = $9,
            status = 'queued', error_code = NULL, error_message = NULL, updated_at = now()
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 RETURNING *`,
    [
      scope.tenantId,
      scope.memoryId,
      docId,
      row.title,
      row.media_type,
      JSON.stringify(row.metadata),
      row.content_sha256,
      row.content_bytes,
      row.occurred_at,
    ],
  );
  return rows[0]!;
}

export async function findDocument(tx: Tx, scope: MemoryScope, docId: string): Promise<DocumentRow | null> {
  const rows = await tx.query<DocumentRow>(
    'SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3',
    [scope.tenantId, scope.memoryId, docId],
  );
  return rows[0] ?? null;
}

export async function listDocumentRows(
  tx: Tx,
  scope: MemoryScope,
  filter: {
    status?: string | undefined;
    externalId?: string | undefined;
    vaultId?: string | undefined;
    closedVaults: ReadonlySet<string>;
    after: string;
    fetch: number | null;
  },
): Promise<DocumentRow[]> {
  const query = sqlBuilder('documents')
    .where({ tenant_id: scope.tenantId, memory_id: scope.memoryId })
    .andWhere('doc_id', '>', filter.after)
    .orderBy('doc_id');
  if (filter.closedVaults.size > 0) void query.whereNotIn('vault_id', [...filter.closedVaults]);
  if (filter.vaultId !== undefined) void query.andWhere({ vault_id: filter.vaultId });
  if (filter.status !== undefined) void query.andWhere({ status: filter.status });
  if (filter.externalId !== undefined) void query.andWhere({ external_id: filter.externalId });
  if (filter.fetch !== null) void query.limit(filter.fetch);
  return tx.run<DocumentRow>(query);
}

/** Takes the document's row out; gives what it was, or null. */
export async function deleteDocumentRow(tx: Tx, scope: MemoryScope, docId: string): Promise<DocumentRow | null> {
  const rows = await tx.query<DocumentRow>(
    'DELETE FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 RETURNING *',
    [scope.tenantId, scope.memoryId, docId],
  );
  return rows[0] ?? null;
}

/** Locks those of the documents that nobody else is changing now; one that is being replaced or deleted is passed over. */
export async function lockDocuments(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<DocumentRow[]> {
  return tx.query<DocumentRow>(
    'SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) ORDER BY doc_id FOR UPDATE SKIP LOCKED',
    [scope.tenantId, scope.memoryId, docIds],
  );
}

export async function markIndexing(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  await tx.execute(
    `UPDATE documents SET status = 'indexing', updated_at = now()
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) AND status = 'queued'`,
    [scope.tenantId, scope.memoryId, docIds],
  );
}

export async function markCompleted(
  tx: Tx,
  scope: MemoryScope,
  done: { docId: string; chunks: number },
): Promise<void> {
  await tx.execute({
    name: 'document_completed',
    text: `UPDATE documents SET status = 'completed', chunk_count = $4, completed_at = now(), updated_at = now()
            WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3`,
    values: [scope.tenantId, scope.memoryId, done.docId, done.chunks],
  });
}

export async function markFailed(
  tx: Tx,
  scope: MemoryScope,
  failure: { docId: string; code: string; message: string },
): Promise<void> {
  await tx.execute(
    `UPDATE documents SET status = 'failed', error_code = $4, error_message = $5, updated_at = now()
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3`,
    [scope.tenantId, scope.memoryId, failure.docId, failure.code, failure.message],
  );
}
