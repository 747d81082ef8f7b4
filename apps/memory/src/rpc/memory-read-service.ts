import { MemoryReadService } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import { type BoundService, requireService, rpc } from '@cairn/service-kit';
import { DEFAULT_ENGINE_ID, type TargetMemory } from '../memories/memory-scope.ts';
import { readDocument } from './read-document.ts';
import { searchChunks, type SearchChunksDeps } from './search-chunks.ts';

/** What the research service reads of a memory, in its own name, for the tenant whose run it works on. */
export function memoryReadService(deps: SearchChunksDeps): BoundService {
  return rpc(MemoryReadService, {
    async searchChunks(request, context) {
      requireService(context, 'research');
      return searchChunks(deps, targetOf(request.target), request, context.signal);
    },
    async readDocument(request, context) {
      requireService(context, 'research');
      return readDocument(deps, targetOf(request.target), request.docId);
    },
  });
}

interface WireTarget {
  engineId: string;
  tenantId: string;
  memoryId: string;
  workspaceId: string;
  rootVaultId: string;
}

function targetOf(target: WireTarget | undefined): TargetMemory {
  if (target === undefined || target.tenantId === '' || target.memoryId === '')
    throw validationFailed([{ path: 'target', message: 'must name a tenant and a memory' }]);
  const { tenantId, memoryId, workspaceId, rootVaultId } = target;
  return {
    tenantId,
    memoryId,
    workspaceId,
    rootVaultId,
    engineId: target.engineId === '' ? DEFAULT_ENGINE_ID : target.engineId,
    spaceId: null,
    vaultId: rootVaultId,
  };
}
