import type { AnswerOf, getDocument, listDocuments } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { type DocumentRow, findDocument, listDocumentRows } from './document-store.ts';
import type { Engines } from './engines/engines.ts';
import { type MemoryLookup, reaches } from './memory-lookup.ts';

interface ReadParts {
  engines: Engines;
  lookup: MemoryLookup;
}

export async function readDocument(
  parts: ReadParts,
  call: Call<typeof getDocument>,
): Promise<JsonAnswer<typeof getDocument>> {
  const memory = await parts.lookup.find(call, call.query);
  const row = await parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const found = await findDocument(tx, memory, call.params.doc_id);
    return found === null || !reaches(memory, closedVaults, found.vault_id) ? null : found;
  });
  if (row === null) throw notFound('The document');
  return { body: presentDocument(row) };
}

export async function listMemoryDocuments(
  parts: ReadParts,
  call: Call<typeof listDocuments>,
): Promise<JsonAnswer<typeof listDocuments>> {
  const { memory_id, space_id, status, external_id, ...paging } = call.query;
  const memory = await parts.lookup.find(call, { memory_id, space_id });
  const vaultId = memory.spaceId === null ? undefined : memory.vaultId;
  const page = pageOf(paging);
  const rows = await parts.engines.read(memory, ({ tx, closedVaults }) =>
    listDocumentRows(tx, memory, { status, externalId: external_id, vaultId, closedVaults, ...page }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.doc_id);
  return { body: { documents: shown.map(presentDocument), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

function presentDocument(row: DocumentRow): AnswerOf<typeof getDocument> {
  return {
    doc_id: row.doc_id,
    memory_id: row.memory_id,
    vault_id: row.vault_id,
    space_id: row.space_id,
    external_id: row.external_id,
    title: row.title,
    status: row.status,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
    progress: null,
    routing: null,
    masked: [],
    metadata: row.metadata,
    media_type: row.media_type,
    bytes: row.content_bytes,
    chunks: row.chunk_count,
    source_uri: row.source_uri,
    occurred_at: row.occurred_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}
