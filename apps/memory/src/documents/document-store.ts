import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

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
  /** Of what was handed in, while it is kept. */
  original_bytes: number | null;
  occurred_at: Date | null;
  status: DocumentStatus;
  error_code: string | null;
  error_message: string | null;
  chunk_count: number;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
  /** The root vault, when no space was named; null otherwise. */
  intake_vault_id: string | null;
  /** Of everything that was submitted. */
  version_sha256: Buffer | null;
  routing_confidence: number | null;
  needs_review: boolean;
  reviewed_at: Date | null;
  masked: { kind: string; count: number }[];
}

/** The title of a document that failed before its own was known. */
export const UNTITLED = 'Untitled';

export type NewDocumentRow = Pick<
  DocumentRow,
  | 'doc_id'
  | 'workspace_id'
  | 'livemode'
  | 'vault_id'
  | 'space_id'
  | 'external_id'
  | 'media_type'
  | 'content_sha256'
  | 'content_bytes'
  | 'occurred_at'
  | 'intake_vault_id'
> & { version_sha256: Buffer };

/**
 * Inserts the rows in their order and returns those that were inserted, by id; the others are missing where another document
 * stands in their place, be it one of the same call. Title and metadata come when they were screened.
 */
export async function insertDocuments(
  tx: Tx,
  scope: MemoryScope,
  rows: readonly NewDocumentRow[],
): Promise<Map<string, DocumentRow>> {
  const inserted = await tx.query<DocumentRow>({
    name: 'documents_insert',
    text: `INSERT INTO documents (tenant_id, memory_id, title, status, doc_id, workspace_id, livemode, vault_id, space_id, external_id,
                                  media_type, content_sha256, content_bytes, occurred_at, intake_vault_id, version_sha256)
           SELECT $1, $2, '', 'queued', doc_id, workspace_id, livemode, vault_id, space_id, external_id,
                  media_type, content_sha256, content_bytes, occurred_at, intake_vault_id, version_sha256
             FROM unnest($3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[], $9::text[], $10::bytea[],
                         $11::bigint[], $12::timestamptz[], $13::text[], $14::bytea[]) WITH ORDINALITY
               AS added (doc_id, workspace_id, livemode, vault_id, space_id, external_id, media_type, content_sha256,
                         content_bytes, occurred_at, intake_vault_id, version_sha256, place)
            ORDER BY place
           ON CONFLICT DO NOTHING RETURNING *`,
    values: [
      scope.tenantId,
      scope.memoryId,
      rows.map((row) => row.doc_id),
      rows.map((row) => row.workspace_id),
      rows.map((row) => row.livemode),
      rows.map((row) => row.vault_id),
      rows.map((row) => row.space_id),
      rows.map((row) => row.external_id),
      rows.map((row) => row.media_type),
      rows.map((row) => row.content_sha256),
      rows.map((row) => row.content_bytes),
      rows.map((row) => row.occurred_at),
      rows.map((row) => row.intake_vault_id),
      rows.map((row) => row.version_sha256),
    ],
  });
  return new Map(inserted.map((row) => [row.doc_id, row]));
}

/**
 * The document in whose place another would stand: the same external id, or the same content without one, in the
 * vault or, for what is to be routed, submitted like it before.
 */
export async function lockDuplicate(tx: Tx, scope: MemoryScope, row: NewDocumentRow): Promise<DocumentRow | null> {
  const byExternalId = row.external_id !== null;
  const same = byExternalId ? 'external_id = $4' : "external_id IS NULL AND content_sha256 = $4 AND status <> 'failed'";
  const key = byExternalId ? row.external_id : row.content_sha256;
  // One statement for each index; an OR over both would read every document of the memory.
  for (const [vault, vaultId] of [
    ['intake_vault_id', row.intake_vault_id],
    ['vault_id', row.vault_id],
  ] as const) {
    if (vaultId === null) continue;
    const rows = await tx.query<DocumentRow>(
      `SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND ${vault} = $3 AND ${same} FOR UPDATE`,
      [scope.tenantId, scope.memoryId, vaultId, key],
    );
    if (rows[0] !== undefined) return rows[0];
  }
  return null;
}

/** True when another document of the vault has the document's external id, or its content when it has none. */
export async function hasDuplicateIn(tx: Tx, scope: MemoryScope, row: DocumentRow, vaultId: string): Promise<boolean> {
  const byExternalId = row.external_id !== null;
  const same = byExternalId ? 'external_id = $4' : "external_id IS NULL AND content_sha256 = $4 AND status <> 'failed'";
  const rows = await tx.query(
    `SELECT 1 FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3 AND ${same} AND doc_id <> $5`,
    [scope.tenantId, scope.memoryId, vaultId, byExternalId ? row.external_id : row.content_sha256, row.doc_id],
  );
  return rows.length > 0;
}

/**
 * A new version in the place of a document: it keeps its identity and its space and is queued again. What it is
 * called and what is found of it stay those of the version before until the new one is indexed.
 */
export async function replaceDocument(
  tx: Tx,
  scope: MemoryScope,
  docId: string,
  row: NewDocumentRow,
): Promise<DocumentRow> {
  const rows = await tx.query<DocumentRow>(
    `WITH change AS (
       INSERT INTO storage_changes (tenant_id, documents, bytes)
         SELECT tenant_id, 0, $6::bigint - content_bytes FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3),
     forgotten AS (DELETE FROM failed_content WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3)
     UPDATE documents SET media_type = $4, content_sha256 = $5, content_bytes = $6, occurred_at = $7, version_sha256 = $8,
            status = 'queued', error_code = NULL, error_message = NULL, updated_at = now()
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 RETURNING *`,
    [
      scope.tenantId,
      scope.memoryId,
      docId,
      row.media_type,
      row.content_sha256,
      row.content_bytes,
      row.occurred_at,
      row.version_sha256,
    ],
  );
  return rows[0]!;
}

/** What is to be changed about a document; undefined stays as it is. */
export interface DocumentChange {
  title: string | undefined;
  metadata: Record<string, unknown> | undefined;
  occurredAt: Date | null | undefined;
  /** What was masked of title and metadata. */
  masked: readonly { kind: string; count: number }[];
}

/** Without the digest of what was sent, the same document sent again is a new version, which undoes the change. */
export async function changeDocument(
  tx: Tx,
  scope: MemoryScope,
  before: Pick<DocumentRow, 'doc_id' | 'masked'>,
  change: DocumentChange,
): Promise<DocumentRow> {
  const rows = await tx.query<DocumentRow>(
    `UPDATE documents SET title = coalesce($4, title), metadata = coalesce($5::jsonb, metadata),
            occurred_at = CASE WHEN $6 THEN $7::timestamptz ELSE occurred_at END, masked = $8,
            version_sha256 = NULL, updated_at = now()
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 RETURNING *`,
    [
      scope.tenantId,
      scope.memoryId,
      before.doc_id,
      change.title ?? null,
      change.metadata === undefined ? null : JSON.stringify(change.metadata),
      change.occurredAt !== undefined,
      change.occurredAt ?? null,
      JSON.stringify(addedUp(before.masked, change.masked)),
    ],
  );
  return rows[0]!;
}

function addedUp(before: DocumentRow['masked'], more: DocumentChange['masked']): DocumentRow['masked'] {
  const counts = new Map<string, number>();
  for (const { kind, count } of [...before, ...more]) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => b.count - a.count);
}

export async function findDocument(tx: Tx, scope: MemoryScope, docId: string): Promise<DocumentRow | null> {
  const rows = await tx.query<DocumentRow>(
    'SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3',
    [scope.tenantId, scope.memoryId, docId],
  );
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockDocument(tx: Tx, scope: MemoryScope, docId: string): Promise<DocumentRow | null> {
  const rows = await tx.query<DocumentRow>(
    'SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 FOR UPDATE',
    [scope.tenantId, scope.memoryId, docId],
  );
  return rows[0] ?? null;
}

/** Deletes the document's row and returns it, or null. */
export async function deleteDocumentRow(tx: Tx, scope: MemoryScope, docId: string): Promise<DocumentRow | null> {
  const rows = await tx.query<DocumentRow>(
    'DELETE FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 RETURNING *',
    [scope.tenantId, scope.memoryId, docId],
  );
  return rows[0] ?? null;
}

/** Locks those of the documents that nobody else is changing now; one that is being replaced or deleted is skipped. */
export async function lockDocuments(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<DocumentRow[]> {
  return tx.query<DocumentRow>(
    'SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) ORDER BY doc_id FOR UPDATE SKIP LOCKED',
    [scope.tenantId, scope.memoryId, docIds],
  );
}

/** The current documents, without waiting for locks on them. */
export async function documentsById(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<DocumentRow[]> {
  return tx.query<DocumentRow>('SELECT * FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)', [
    scope.tenantId,
    scope.memoryId,
    docIds,
  ]);
}

/** Those of the documents that are neither completed nor failed. */
export async function unfinishedDocuments(
  tx: Tx,
  scope: MemoryScope,
  docIds: readonly string[],
): Promise<DocumentRow[]> {
  return tx.query<DocumentRow>({
    name: 'documents_at_work',
    text: `SELECT * FROM documents
            WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) AND status NOT IN ('completed', 'failed')`,
    values: [scope.tenantId, scope.memoryId, docIds],
  });
}

/**
 * Writes the documents' current step. Those that ended in the meantime are skipped, and with `owner` those whose claim is
 * not, or no longer, the owner's.
 */
export async function markStep(
  tx: Tx,
  scope: MemoryScope,
  docIds: readonly string[],
  mark: { step: DocumentStatus; owner?: string },
): Promise<void> {
  await tx.execute({
    name: 'document_step',
    text: `UPDATE documents SET status = $4, updated_at = now()
            WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) AND status NOT IN ('completed', 'failed')
              AND ($5::text IS NULL
                   OR doc_id = ANY(ARRAY(SELECT doc_id FROM ingest_queue
                                          WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) AND owner = $5)))`,
    values: [scope.tenantId, scope.memoryId, docIds, mark.step, mark.owner ?? null],
  });
}

/** What a document is after it was read, screened and routed. */
export interface ProcessedDocument {
  docId: string;
  title: string;
  mediaType: string;
  metadata: Record<string, unknown>;
  sourceUri: string | null;
  /** Taken when the document was given no time. */
  occurredAt: string | null;
  masked: readonly { kind: string; count: number }[];
  vaultId: string;
  spaceId: string | null;
  routingConfidence: number | null;
  needsReview: boolean;
  chunks: number;
}

/** Writes the results of processing with the next status, `completed` or `linking`. */
export async function saveProcessedDocuments(
  tx: Tx,
  scope: MemoryScope,
  documents: readonly ProcessedDocument[],
  status: 'completed' | 'linking',
): Promise<void> {
  if (documents.length === 0) return;
  await tx.execute({
    name: 'documents_settle',
    text: `UPDATE documents
              SET title = settled.title, media_type = settled.media_type, metadata = settled.metadata,
                  source_uri = settled.source_uri, occurred_at = coalesce(documents.occurred_at, settled.occurred_at),
                  masked = settled.masked, vault_id = settled.vault_id, space_id = settled.space_id,
                  routing_confidence = settled.confidence, needs_review = settled.needs_review,
                  chunk_count = settled.chunks, status = $3, updated_at = now(),
                  completed_at = CASE WHEN $3 = 'completed' THEN now() ELSE completed_at END
             FROM unnest($4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[], $9::timestamptz[], $10::jsonb[],
                         $11::text[], $12::text[], $13::float8[], $14::boolean[], $15::int[])
               AS settled (doc_id, title, media_type, metadata, source_uri, occurred_at, masked, vault_id, space_id,
                           confidence, needs_review, chunks)
            WHERE documents.tenant_id = $1 AND documents.memory_id = $2 AND documents.doc_id = settled.doc_id
              AND documents.doc_id = ANY($4)`,
    values: [
      scope.tenantId,
      scope.memoryId,
      status,
      documents.map((document) => document.docId),
      documents.map((document) => document.title),
      documents.map((document) => document.mediaType),
      documents.map((document) => JSON.stringify(document.metadata)),
      documents.map((document) => document.sourceUri),
      documents.map((document) => document.occurredAt),
      documents.map((document) => JSON.stringify(document.masked)),
      documents.map((document) => document.vaultId),
      documents.map((document) => document.spaceId),
      documents.map((document) => document.routingConfidence),
      documents.map((document) => document.needsReview),
      documents.map((document) => document.chunks),
    ],
  });
}

/** Completes documents that were linked. */
export async function markCompleted(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<void> {
  await tx.execute({
    name: 'documents_completed',
    text: `UPDATE documents SET status = 'completed', completed_at = now(), updated_at = now()
            WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)`,
    values: [scope.tenantId, scope.memoryId, docIds],
  });
}

/** Assigns a document to a space, as reviewed. */
export async function assignDocumentSpace(
  tx: Tx,
  scope: MemoryScope,
  routed: { docId: string; vaultId: string; spaceId: string | null },
): Promise<DocumentRow> {
  const rows = await tx.query<DocumentRow>(
    `UPDATE documents SET vault_id = $4, space_id = $5, needs_review = false, reviewed_at = now(), updated_at = now()
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 RETURNING *`,
    [scope.tenantId, scope.memoryId, routed.docId, routed.vaultId, routed.spaceId],
  );
  return rows[0]!;
}

export async function markFailed(
  tx: Tx,
  scope: MemoryScope,
  failure: { docId: string; code: string; message: string; title?: string; sourceUri?: string | null },
): Promise<void> {
  await tx.execute(
    `UPDATE documents SET status = 'failed', error_code = $4, error_message = $5, updated_at = now(),
            title = CASE WHEN title = '' THEN $6 ELSE title END, source_uri = coalesce(source_uri, $7)
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3`,
    [
      scope.tenantId,
      scope.memoryId,
      failure.docId,
      failure.code,
      failure.message,
      failure.title ?? UNTITLED,
      failure.sourceUri ?? null,
    ],
  );
}
