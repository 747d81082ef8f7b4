import type { RunContext } from '@cairn/ledger';
import { holdScopeOpen } from '../erasure/closed-scopes.ts';
import { keepSource } from './source-store.ts';
import { inputOf } from './run-input.ts';
import type { WorkParts } from './work-parts.ts';

/** Looks a question up in the tenant's memory; gives the documents it is found in, best first. */
export function searchMemory(
  parts: WorkParts,
  context: RunContext,
  key: string,
  query: string,
  limits: { chunks: number; documents: number },
): Promise<string[]> {
  return context.step(key, async (signal) => {
    const chunks = await parts.memory.search(inputOf(context).target, query, limits.chunks, signal);
    const docIds = [...new Set(chunks.map(({ docId }) => docId))].slice(0, limits.documents);
    const data = { query, source: 'memory', found: docIds.length };
    return { result: docIds, events: [{ type: 'query.issued', data }] };
  });
}

/** Reads a document of the memory into the run's sources, once; gives the source's id, null when it is gone. */
export async function readDocument(parts: WorkParts, context: RunContext, docId: string): Promise<string | null> {
  const { source_id } = await context.step(`read/${docId}`, async (signal) => {
    const result: { source_id: string | null } = { source_id: null };
    const document = await parts.memory.read(inputOf(context).target, docId, signal);
    if (document === null || document.text.trim() === '') {
      const data = { origin: docId, reason: document === null ? 'gone' : 'empty' };
      return { result, events: [{ type: 'source.skipped', data }] };
    }
    const { title, uri, text: body, occurredAt, vaultId } = document;
    return {
      result,
      commit: async (tx) => {
        const { memoryId } = inputOf(context).target;
        // The space was deleted while its document was read.
        if (!(await holdScopeOpen(tx, { tenantId: context.tenantId, memoryId, vaultId })))
          return [{ type: 'source.skipped', data: { origin: docId, reason: 'gone' } }];
        const source = { tenantId: context.tenantId, run_id: context.runId, origin: docId, kind: 'memory' as const };
        const kept = await keepSource(tx, { ...source, title, uri, body, occurredAt, vaultId });
        result.source_id = kept.sourceId;
        const data = { source_id: kept.sourceId, kind: 'memory', title, uri };
        return kept.added ? [{ type: 'source.fetched', data }] : [];
      },
    };
  });
  return source_id;
}
