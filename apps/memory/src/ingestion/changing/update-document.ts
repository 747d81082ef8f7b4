import { encodeEvent, type EncodedEvent } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { WorkerFailure } from '@cairn/workers';
import type { DocumentDescription, MaskedDescription } from '../preparing/mask-description.ts';
import type { PreparePool } from '../preparing/prepare-pool.ts';
import type { Engines } from '../../memories/engines.ts';
import type { TargetMemory } from '../../memories/memory-scope.ts';
import type { SettingsSource } from '../../memories/memory-settings.ts';
import type { MemoryResolver } from '../../memories/resolve-memory.ts';
import { reaches } from '../../memories/visibility.ts';
import { chunksOfDocuments } from '../../documents/chunk-store.ts';
import type { LinkDocuments } from '../../documents/document-linker.ts';
import {
  type DocumentChange,
  type DocumentRow,
  findDocument,
  lockDocument,
  changeDocument,
} from '../../documents/document-store.ts';
import { presentDocument } from '../../documents/present-document.ts';
import { type ChunkLinker, rewriteChunks, rewritten } from './rewrite-chunks.ts';

export interface UpdateDocumentDeps {
  engines: Engines;
  memories: MemoryResolver;
  linker: ChunkLinker;
  settings: Pick<SettingsSource, 'read'>;
  pool: Pick<PreparePool, 'maskAbout'>;
}

/**
 * Changes what is said about a document. Its title stands above its chunks and its time beside them, so where one of
 * these changes the chunks are replaced, with new ids, as a new version of the document would have them.
 */
export async function updateDocument(
  deps: UpdateDocumentDeps,
  context: RequestContext<typeof operations.updateDocument>,
): Promise<JsonResponse<typeof operations.updateDocument>> {
  const { memory_id, occurred_at: time, ...given } = context.body;
  const docId = context.params.doc_id;
  const memory = await deps.memories.resolve(context, { memory_id });
  const about = await screen(deps, memory, given);
  const change: DocumentChange = {
    title: about.title,
    metadata: about.metadata,
    masked: about.masked,
    occurredAt: typeof time === 'string' ? new Date(time) : time,
  };
  const linkDocuments = await readRewritten(deps, memory, docId, change);
  const row = await deps.engines.write(memory, async (open) => {
    const before = await lockDocument(open.tx, memory, docId);
    if (before === null || !reaches(memory, open.closedVaults, before.vault_id)) throw notFound('The document');
    assertCompleted(before);
    const after = await changeDocument(open.tx, memory, before, change);
    if (isRewriting(before, change))
      await rewriteChunks(open, memory, { before, after }, { ...deps.linker, linkDocuments });
    if (change.masked.length > 0) await appendToOutbox(open.tx, flagged(after, change));
    return after;
  });
  return { body: presentDocument(row, undefined) };
}

/** Screens in a worker process, by the policy as it is now, as a new document would be. */
async function screen(
  { settings, pool }: UpdateDocumentDeps,
  { tenantId, memoryId }: TargetMemory,
  about: DocumentDescription,
): Promise<MaskedDescription> {
  if (about.title === undefined && about.metadata === undefined) return { masked: [] };
  const { dlp_policy: policy } = await settings.read({ tenantId, memoryId }, false);
  try {
    return await pool.maskAbout(tenantId, about, policy);
  } catch (error) {
    if (!(error instanceof WorkerFailure)) throw error;
    const path = about.metadata === undefined ? 'title' : 'metadata';
    throw validationFailed([{ path, message: 'could not be screened in time; send less of it' }]);
  }
}

function flagged(row: DocumentRow, { masked }: DocumentChange): EncodedEvent {
  const { tenant_id: tenantId, memory_id: memoryId, workspace_id: workspaceId, livemode } = row;
  const findings = [...masked];
  const found = { docId: row.doc_id, vaultId: row.vault_id, findings };
  return encodeEvent('dlpFlagged', { tenantId, memoryId, workspaceId, livemode }, found);
}

/** What is still being processed would overwrite the change, and what failed has no text of its own to go with it. */
function assertCompleted({ status }: DocumentRow): void {
  if (status === 'completed') return;
  const message =
    status === 'failed'
      ? 'The document failed. Send it again with what is to be changed.'
      : 'The document is being processed. Change it when it is completed.';
  throw new CairnError('conflict', message);
}

function isRewriting(before: DocumentRow, { title, occurredAt }: DocumentChange): boolean {
  const isTimed = occurredAt !== undefined && occurredAt?.getTime() !== before.occurred_at?.getTime();
  return isTimed || (title !== undefined && title !== before.title);
}

/**
 * Reads the text below its new title for the graph: here, so that a long document holds no transaction while it is read.
 * Returns `linkDocuments` with what was read.
 */
async function readRewritten(
  { engines, linker }: UpdateDocumentDeps,
  memory: TargetMemory,
  docId: string,
  change: DocumentChange,
): Promise<LinkDocuments> {
  const read = await engines.read(memory, async ({ tx, closedVaults }) => {
    const document = await findDocument(tx, memory, docId);
    if (document === null || !reaches(memory, closedVaults, document.vault_id)) throw notFound('The document');
    assertCompleted(document);
    if (!isRewriting(document, change)) return null;
    return { document, chunks: await chunksOfDocuments(tx, memory, [docId]) };
  });
  if (read === null) return linker.linkDocuments;
  const { workspace_id: workspaceId, livemode } = read.document;
  const after = { ...read.document, title: change.title ?? read.document.title };
  // Under their ids as they are, by which what a model said of them is found, but in no vault, so that all are read.
  const chunks = rewritten(read.chunks, read.document, after).map((chunk, at) => ({
    ...chunk,
    chunk_id: read.chunks[at]!.chunk_id,
    vault_id: '',
  }));
  const database = {
    withTenant: <T>(_tenantId: string, work: (tx: Tx) => Promise<T>) => engines.read(memory, ({ tx }) => work(tx)),
  };
  const { tenantId, memoryId } = memory;
  return linker.prefetchAgain(database, { tenantId, memoryId, workspaceId, livemode }, [{ document: after, chunks }]);
}
