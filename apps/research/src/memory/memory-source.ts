import { MemoryReadService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import type { MemoryTarget } from './memory-target.ts';

interface FoundChunk {
  docId: string;
  title: string;
  text: string;
  score: number;
  uri: string | null;
}

interface WholeDocument {
  docId: string;
  title: string;
  text: string;
  uri: string | null;
  occurredAt: string | null;
  mediaType: string;
  vaultId: string;
}

/** Reads the tenant's own memory for a run. */
export interface MemorySource {
  search(target: MemoryTarget, query: string, limit: number, signal: AbortSignal): Promise<FoundChunk[]>;
  /** Null when the document is gone. */
  read(target: MemoryTarget, docId: string, signal: AbortSignal): Promise<WholeDocument | null>;
}

const CALL_TIMEOUT_MS = 20_000;

export function createMemorySource(memory: RpcClient<typeof MemoryReadService>): MemorySource {
  return {
    async search(target, query, limit, signal) {
      const { chunks } = await memory.searchChunks({ target, query, limit }, { signal, timeoutMs: CALL_TIMEOUT_MS });
      return chunks.map(({ docId, title, text, score, sourceUri }) => ({
        docId,
        title,
        text,
        score,
        uri: sourceUri === '' ? null : sourceUri,
      }));
    },
    async read(target, docId, signal) {
      try {
        const found = await memory.readDocument({ target, docId }, { signal, timeoutMs: CALL_TIMEOUT_MS });
        return {
          docId,
          title: found.title,
          text: found.text,
          uri: found.sourceUri === '' ? null : found.sourceUri,
          occurredAt: found.occurredAt === '' ? null : found.occurredAt,
          mediaType: found.mediaType,
          vaultId: found.vaultId,
        };
      } catch (error) {
        if (error instanceof CairnError && error.code === 'not_found') return null;
        throw error;
      }
    },
  };
}
