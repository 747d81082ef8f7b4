import type { Tx } from '@cairn/postgres';
import { MemoryReadService } from '@cairn/contracts';
import { notFound, validationFailed } from '@cairn/errors';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import { chunksOfDocuments, findChunks } from './chunk-store.ts';
import { findDocument } from './document-store.ts';
import { DEFAULT_ENGINE_ID, type Engines, type OpenMemory } from './engines/engines.ts';
import { reaches, type TargetMemory } from './memory-lookup.ts';

const LIMIT_MAX = 100;
/** Longer documents are cut off: what is found behind is found by search. */
const TEXT_MAX_CHARS = 2_000_000;

interface WireTarget {
  engineId: string;
  tenantId: string;
  memoryId: string;
  workspaceId: string;
  rootVaultId: string;
}

/** What research asks of a memory, in its own name, for the tenant whose run it works on. */
export function readService(parts: { engines: Engines }): BoundService {
  return rpc(MemoryReadService, {
    async searchChunks(request, context) {
      requireService(context, 'research');
      const memory = targetOf(request.target);
      if (request.limit < 1 || request.limit > LIMIT_MAX)
        throw validationFailed([{ path: 'limit', message: `must be 1 to ${LIMIT_MAX}` }]);
      const chunks = await parts.engines.read(memory, (open) => search(open, memory, request, context.signal));
      return { chunks };
    },
    async readDocument(request, context) {
      requireService(context, 'research');
      const memory = targetOf(request.target);
      const found = await parts.engines.read(memory, async ({ tx, closedVaults }) => {
        const document = await findDocument(tx, memory, request.docId);
        if (document === null || !reaches(memory, closedVaults, document.vault_id)) return null;
        return { document, text: await textOf(tx, memory, request.docId) };
      });
      if (found === null) throw notFound('The document');
      const { document, text } = found;
      return {
        docId: document.doc_id,
        title: document.title,
        text,
        sourceUri: document.source_uri ?? '',
        occurredAt: document.occurred_at?.toISOString() ?? '',
        mediaType: document.media_type,
        vaultId: document.vault_id,
      };
    },
  });
}

async function search(
  { tx, index, closedVaults }: OpenMemory,
  memory: TargetMemory,
  request: { query: string; limit: number },
  signal: AbortSignal,
) {
  const hits = await index.search(tx, memory, {
    text: request.query,
    limit: request.limit,
    signal,
    ...(closedVaults.size === 0 ? {} : { filter: { not: { vaultIds: [...closedVaults] } } }),
  });
  const chunks = await findChunks(tx, memory, hits);
  return hits.flatMap((hit) => {
    const chunk = chunks.get(hit.chunkId);
    if (chunk === undefined) return [];
    return {
      chunkId: chunk.chunk_id,
      docId: chunk.doc_id,
      title: chunk.title,
      text: chunk.body,
      score: hit.score,
      sourceUri: chunk.source_uri ?? '',
      occurredAt: chunk.occurred_at?.toISOString() ?? '',
    };
  });
}

async function textOf(tx: Tx, memory: TargetMemory, docId: string): Promise<string> {
  const chunks = await chunksOfDocuments(tx, memory, [docId]);
  let text = '';
  let path = '';
  for (const chunk of chunks) {
    if (text.length > TEXT_MAX_CHARS) break;
    // A heading says whom the text below it is about.
    if (chunk.title_path !== path) text += `${text === '' ? '' : '\n\n'}# ${chunk.title_path}`;
    path = chunk.title_path;
    text += `${text === '' ? '' : '\n\n'}${chunk.body}`;
  }
  return text.slice(0, TEXT_MAX_CHARS);
}

function targetOf(target: WireTarget | undefined): TargetMemory {
  if (target === undefined || target.tenantId === '' || target.memoryId === '')
    throw validationFailed([{ path: 'target', message: 'must name a tenant and a memory' }]);
  const { tenantId, memoryId, workspaceId, rootVaultId } = target;
  const engineId = target.engineId === '' ? DEFAULT_ENGINE_ID : target.engineId;
  return {
    tenantId,
    memoryId,
    workspaceId,
    rootVaultId,
    // Reading stores nothing.
    dlpPolicy: 'pii',
    engineId,
    spaceId: null,
    vaultId: rootVaultId,
  };
}
