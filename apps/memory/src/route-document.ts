import type { routeDocument } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { chunksOfDocuments, type ChunkRow, moveToVault } from './chunk-store.ts';
import { type DocumentRow, hasTwinIn, lockDocument, markRouted } from './document-store.ts';
import type { Engines, OpenMemory } from './engines/engines.ts';
import { assertOpen } from './erasure/closed-scopes.ts';
import { unlinkDocuments } from './graph/link-documents.ts';
import type { DocumentLinker, LinkableDocument } from './link-port.ts';
import { queueStates } from './ingest-queue.ts';
import { type MemoryLookup, reaches, type TargetMemory } from './memory-lookup.ts';
import { presentDocument } from './read-documents.ts';
import { forgetRouter } from './route/space-profiles.ts';
import { writeOnce } from './write-once.ts';

export interface RouteParts {
  engines: Engines;
  lookup: MemoryLookup;
  linker: DocumentLinker;
}

/** Settles where a document belongs and moves it there with its chunks, which keep their ids. */
export async function settleRoute(
  parts: RouteParts,
  call: Call<typeof routeDocument>,
): Promise<JsonAnswer<typeof routeDocument>> {
  const { memory_id, space_id } = call.body;
  const home = await parts.lookup.find(call, { memory_id });
  const target = await parts.lookup.find(call, { memory_id, space_id });
  if (target.memoryId !== home.memoryId) throw notFound('The space');
  const { vaultId } = target;
  const request = { ...call.body, doc_id: call.params.doc_id };
  const once = {
    caller: call.identity,
    operation: 'routeDocument',
    key: call.idempotencyKey,
    request,
    status: 200,
  };
  const answer = await writeOnce(parts.engines, home, once, async (open) => {
    await assertOpen(open.tx, home, vaultId);
    const before = await lockDocument(open.tx, home, call.params.doc_id);
    if (before === null || !reaches(home, open.closedVaults, before.vault_id)) throw notFound('The document');
    const moved = await move(open, home, before, {
      place: { vaultId, spaceId: space_id },
      linker: parts.linker,
    });
    return presentDocument(moved, (await queueStates(open.tx, home, [moved.doc_id])).get(moved.doc_id));
  });
  forgetRouter(home);
  return answer;
}

async function move(
  { tx, index }: OpenMemory,
  memory: TargetMemory,
  row: DocumentRow,
  { place, linker }: { place: { vaultId: string; spaceId: string | null }; linker: DocumentLinker },
): Promise<DocumentRow> {
  if (row.vault_id === place.vaultId) return markRouted(tx, memory, { docId: row.doc_id, ...place });
  if (await hasTwinIn(tx, memory, row, place.vaultId))
    throw new CairnError('conflict', 'The same document lies in that space already.');
  const moved = await markRouted(tx, memory, { docId: row.doc_id, ...place });
  const before = await chunksOfDocuments(tx, memory, [row.doc_id]);
  await moveToVault(tx, memory, before, place.vaultId);
  const chunks = before.map((chunk) => ({ ...chunk, vault_id: place.vaultId }));
  await moveInGraph(tx, memory, { document: moved, chunks }, linker);
  await moveInIndex(tx, index, memory, moved, chunks);
  return moved;
}

/** What a document says belongs to its vault; one that is still at work is linked when its turn comes. */
async function moveInGraph(
  tx: Tx,
  { tenantId, memoryId }: TargetMemory,
  moved: LinkableDocument,
  linker: DocumentLinker,
): Promise<void> {
  const { doc_id, status, workspace_id: workspaceId, livemode } = moved.document;
  if (status === 'completed') await linker.linkDocuments(tx, { tenantId, memoryId, workspaceId, livemode }, [moved]);
  else await unlinkDocuments(tx, { tenantId, memoryId }, [doc_id]);
}

/** A chunk lies in a vault for the index, too: it is taken out and added again under its own id. */
async function moveInIndex(
  tx: Tx,
  index: OpenMemory['index'],
  memory: TargetMemory,
  row: DocumentRow,
  chunks: readonly ChunkRow[],
): Promise<void> {
  if (chunks.length === 0) return;
  await index.remove(
    tx,
    memory,
    chunks.map((chunk) => chunk.chunk_id),
  );
  await index.add(
    tx,
    memory,
    chunks.map((chunk) => ({
      chunkId: chunk.chunk_id,
      docId: chunk.doc_id,
      vaultId: chunk.vault_id,
      titlePath: chunk.title_path,
      contextPrefix: chunk.context_prefix,
      body: chunk.body,
      occurredAtMs: chunk.occurred_at?.getTime() ?? null,
      createdAtMs: row.created_at.getTime(),
    })),
  );
}
