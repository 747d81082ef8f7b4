import type { RunContext } from '../ledger/run-context.ts';
import { holdScopeOpen } from '../scopes/closed-scopes.ts';
import { storeSource } from '../sources/source-store.ts';
import { inputOf } from '../runs/run-input.ts';
import type { WorkDeps } from './work-deps.ts';

/** Searches the tenant's memory. Returns the ids of the documents found, best first. */
export function searchMemory(
  deps: WorkDeps,
  context: RunContext,
  key: string,
  query: string,
  limits: { chunks: number; documents: number; without?: readonly string[] },
): Promise<string[]> {
  return context.step(key, async (signal) => {
    const chunks = await deps.memory.search(inputOf(context).target, query, limits.chunks, signal);
    const wanted = chunks.filter(({ title }) => limits.without?.includes(title) !== true);
    const docIds = [...new Set(wanted.map(({ docId }) => docId))].slice(0, limits.documents);
    const data = { query, source: 'memory', found: docIds.length };
    return { result: docIds, events: [{ type: 'query.issued', data }] };
  });
}

/**
 * Reads a document of the memory into the run's sources, once. Returns the source's id, or null when the document is
 * gone.
 */
export async function readDocument(deps: WorkDeps, context: RunContext, docId: string): Promise<string | null> {
  const { source_id } = await context.step(`read/${docId}`, async (signal) => {
    const result: { source_id: string | null } = { source_id: null };
    const document = await deps.memory.read(inputOf(context).target, docId, signal);
    if (document === null || document.text.trim() === '') {
      const data = { origin: docId, reason: document === null ? 'gone' : 'empty' };
      return { result, events: [{ type: 'source.skipped', data }] };
    }
    const { title, uri, text: body, occurredAt, vaultId } = document;
    return {
      result,
      commit: async (tx) => {
        const { memoryId } = inputOf(context).target;
        // The space was deleted while the document was being read.
        if (!(await holdScopeOpen(tx, { tenantId: context.tenantId, memoryId, vaultId })))
          return [{ type: 'source.skipped', data: { origin: docId, reason: 'gone' } }];
        const source = { tenantId: context.tenantId, run_id: context.runId, origin: docId, kind: 'memory' as const };
        const stored = await storeSource(tx, { ...source, title, uri, body, occurredAt, vaultId });
        result.source_id = stored.sourceId;
        const data = { source_id: stored.sourceId, kind: 'memory', title, uri };
        return stored.added ? [{ type: 'source.fetched', data }] : [];
      },
    };
  });
  return source_id;
}
