import {
  eraseFromOutbox,
  eraseResponsesNaming,
  eraseResponsesOf,
  eraseStoredResponses,
  type Tx,
} from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import { type ChunkKey, deleteChunks } from '../documents/chunk-store.ts';
import { unlinkDocuments } from '../graph/linking/link-documents.ts';
import { storeExpungeMark, markErased } from '../memories/closed-scopes.ts';
import { eraseRowsOfVault, type EraseProgress } from './erased-tables.ts';
import type { ErasableScope } from '../memories/memory-scope.ts';
import { removableAtOnce, removeDocuments } from '../documents/remove-documents.ts';

/** A closed vault of a memory that lives on. */
interface VaultScope extends ErasableScope {
  vaultId: string;
}

const DOCUMENTS_PER_STEP = 50;
const THREADS_PER_STEP = 500;
const CHUNKS_PER_STEP = 1_000;
/** Their answers hold names of entities, which do not say what vault they were read in. */
const DECIDING_ENTITIES = ['mergeEntities', 'splitEntity', 'decideEntityReview'];

/**
 * One bounded step of erasing a closed vault. Its words leave the index's storage only when the segments that hold
 * them are rewritten: that is requested once everything else is gone, and waited for by further steps, which
 * are given the mark that was kept then.
 */
export async function eraseVaultStep(
  tx: Tx,
  index: SearchIndex,
  scope: VaultScope,
  expungeAt: Date | null,
): Promise<EraseProgress> {
  if (expungeAt !== null) return (await index.expunged(tx, scope, expungeAt)) ? finish(tx, scope) : 'waiting';
  if (await eraseSomeDocuments(tx, index, scope)) return 'erasing';
  if (await eraseStrayChunks(tx, index, scope)) return 'erasing';
  if (await eraseRowsOfVault(tx, scope)) return 'erasing';
  if (await eraseSomeThreads(tx, scope)) return 'erasing';
  const { tenantId, memoryId } = scope;
  const mention = { tenantId, memoryId, mentions: scope.vaultId };
  await eraseStoredResponses(tx, mention);
  await eraseResponsesOf(tx, { tenantId, memoryId, operations: DECIDING_ENTITIES });
  await eraseFromOutbox(tx, mention);
  const mark = await index.expunge(tx, scope);
  if (mark === null) return finish(tx, scope);
  await storeExpungeMark(tx, scope, mark);
  return 'erasing';
}

async function finish(tx: Tx, scope: VaultScope): Promise<EraseProgress> {
  await markErased(tx, scope);
  return 'finished';
}

/** Locks in everyone's order: document, queue, chunks, graph, index. False when the vault has no document left. */
async function eraseSomeDocuments(tx: Tx, index: SearchIndex, scope: VaultScope): Promise<boolean> {
  const rows = await tx.query<{ doc_id: string; chunk_count: number }>(
    `SELECT doc_id, chunk_count FROM documents WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3
      ORDER BY doc_id LIMIT $4 FOR UPDATE`,
    [scope.tenantId, scope.memoryId, scope.vaultId, DOCUMENTS_PER_STEP],
  );
  const docIds = removableAtOnce(rows).map((row) => row.doc_id);
  if (docIds.length === 0) return false;
  await removeDocuments(tx, index, scope, docIds, unlinkDocuments);
  return true;
}

/** Takes along what was kept of the answers about them: those name the thread, and need not name the vault. */
async function eraseSomeThreads(tx: Tx, scope: VaultScope): Promise<boolean> {
  const { tenantId, memoryId, vaultId } = scope;
  const rows = await tx.query<{ thread_id: string }>(
    'SELECT thread_id FROM threads WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3 LIMIT $4',
    [tenantId, memoryId, vaultId, THREADS_PER_STEP],
  );
  const ids = rows.map((row) => row.thread_id);
  await eraseResponsesNaming(tx, { tenantId, memoryId, field: 'thread_id', ids });
  await tx.execute('DELETE FROM threads WHERE tenant_id = $1 AND thread_id = ANY($2)', [tenantId, ids]);
  return ids.length > 0;
}

/** Chunks in the vault of documents that moved to another one and wait to be indexed there. */
async function eraseStrayChunks(tx: Tx, index: SearchIndex, scope: VaultScope): Promise<boolean> {
  const rows = await tx.query<ChunkKey>(
    'SELECT chunk_id, doc_id FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = $3 LIMIT $4',
    [scope.tenantId, scope.memoryId, scope.vaultId, CHUNKS_PER_STEP],
  );
  await deleteChunks(tx, scope, rows);
  await index.remove(
    tx,
    scope,
    rows.map((row) => row.chunk_id),
  );
  return rows.length > 0;
}
