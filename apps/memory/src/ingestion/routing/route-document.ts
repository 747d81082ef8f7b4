import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { chunksOfDocuments, type ChunkRow, moveChunksToVault } from '../../documents/chunk-store.ts';
import {
  assignDocumentSpace,
  type DocumentRow,
  findDocument,
  hasDuplicateIn,
  lockDocument,
} from '../../documents/document-store.ts';
import type { Engines, OpenMemory } from '../../memories/engines.ts';
import { assertOpen } from '../../memories/closed-scopes.ts';
import type { DocumentLinker, DocumentWithChunks, LinkDocuments, Prefetch } from '../../documents/document-linker.ts';
import { type MemoryResolver } from '../../memories/resolve-memory.ts';
import type { SpaceRouters } from './space-routers.ts';
import { writeIdempotently } from '../../memories/idempotent-write.ts';
import type { TargetMemory } from '../../memories/memory-scope.ts';
import { reaches } from '../../memories/visibility.ts';
import { queueStates } from '../../documents/queue-state.ts';
import { indexChunkOf } from '../../documents/index-chunk.ts';
import { presentDocument } from '../../documents/present-document.ts';

type Linker = Pick<DocumentLinker, 'linkDocuments' | 'unlinkDocuments'>;

export interface RouteDocumentDeps {
  engines: Engines;
  memories: MemoryResolver;
  linker: Linker & { prefetchAgain: Prefetch };
  routers: SpaceRouters;
}

/** Assigns a document to a space and moves it there with its chunks, which keep their ids. */
export async function routeDocument(
  deps: RouteDocumentDeps,
  context: RequestContext<typeof operations.routeDocument>,
): Promise<JsonResponse<typeof operations.routeDocument>> {
  const { memory_id, space_id } = context.body;
  const home = await deps.memories.resolve(context, { memory_id });
  const target = await deps.memories.resolve(context, { memory_id, space_id });
  if (target.memoryId !== home.memoryId) throw notFound('The space');
  const { vaultId } = target;
  const request = { ...context.body, doc_id: context.params.doc_id };
  const idempotency = {
    caller: context.identity,
    operation: 'routeDocument',
    key: context.idempotencyKey,
    request,
    status: 200,
  };
  const linkDocuments = await readMoved(deps, home, context.params.doc_id, vaultId);
  const response = await writeIdempotently(deps.engines, home, idempotency, async (open) => {
    await assertOpen(open.tx, home, vaultId);
    const before = await lockDocument(open.tx, home, context.params.doc_id);
    if (before === null || !reaches(home, open.closedVaults, before.vault_id)) throw notFound('The document');
    const moved = await move(open, home, before, {
      place: { vaultId, spaceId: space_id },
      linker: { ...deps.linker, linkDocuments },
    });
    return presentDocument(moved, (await queueStates(open.tx, home, [moved.doc_id])).get(moved.doc_id));
  });
  deps.routers.invalidate(home);
  return response;
}

/**
 * What a document says belongs to its vault and is read again for another one: here, so that a long document holds no
 * transaction while it is read; not when the move will be refused. Returns `linkDocuments` with what was read.
 */
async function readMoved(
  { engines, linker }: RouteDocumentDeps,
  home: TargetMemory,
  docId: string,
  vaultId: string,
): Promise<LinkDocuments> {
  const moved = await engines.read(home, async ({ tx, closedVaults }) => {
    const document = await findDocument(tx, home, docId);
    if (document === null || document.vault_id === vaultId || !isLinked(document)) return null;
    if (closedVaults.has(vaultId) || !reaches(home, closedVaults, document.vault_id)) return null;
    if (await hasDuplicateIn(tx, home, document, vaultId)) return null;
    return { document, chunks: inVault(await chunksOfDocuments(tx, home, [docId]), vaultId) };
  });
  if (moved === null) return linker.linkDocuments;
  const { tenantId, memoryId } = home;
  const { workspace_id: workspaceId, livemode } = moved.document;
  const database = {
    withTenant: <T>(_tenantId: string, work: (tx: Tx) => Promise<T>) => engines.read(home, ({ tx }) => work(tx)),
  };
  return linker.prefetchAgain(database, { tenantId, memoryId, workspaceId, livemode }, [moved]);
}

function inVault(chunks: readonly ChunkRow[], vaultId: string): ChunkRow[] {
  return chunks.map((chunk) => ({ ...chunk, vault_id: vaultId }));
}

async function move(
  { tx, index }: OpenMemory,
  memory: TargetMemory,
  row: DocumentRow,
  { place, linker }: { place: { vaultId: string; spaceId: string | null }; linker: Linker },
): Promise<DocumentRow> {
  if (row.vault_id === place.vaultId) return assignDocumentSpace(tx, memory, { docId: row.doc_id, ...place });
  if (await hasDuplicateIn(tx, memory, row, place.vaultId))
    throw new CairnError('conflict', 'The same document lies in that space already.');
  const moved = await assignDocumentSpace(tx, memory, { docId: row.doc_id, ...place });
  const before = await chunksOfDocuments(tx, memory, [row.doc_id]);
  await moveChunksToVault(tx, memory, before, place.vaultId);
  const chunks = inVault(before, place.vaultId);
  await moveInGraph(tx, memory, { document: moved, chunks }, linker);
  await moveInIndex(tx, index, memory, moved, chunks);
  return moved;
}

/**
 * Whether the graph says of the document what its chunks say: also of one whose new version waits or could not be read,
 * but not when the chunks are of a version that is still to be linked.
 */
function isLinked({ completed_at, status, error_code }: DocumentRow): boolean {
  return completed_at !== null && status !== 'linking' && error_code !== 'linking_failed';
}

/** What a document says belongs to its vault; one that is not linked yet is linked there by its own link step. */
async function moveInGraph(
  tx: Tx,
  { tenantId, memoryId }: TargetMemory,
  moved: DocumentWithChunks,
  linker: Linker,
): Promise<void> {
  const { doc_id, workspace_id: workspaceId, livemode } = moved.document;
  if (isLinked(moved.document)) await linker.linkDocuments(tx, { tenantId, memoryId, workspaceId, livemode }, [moved]);
  else await linker.unlinkDocuments(tx, { tenantId, memoryId }, [doc_id], { areDeleted: false });
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
    chunks.map((chunk) => indexChunkOf(chunk, row)),
  );
}
