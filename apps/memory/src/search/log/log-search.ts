import type * as operations from '@cairn/contracts';
import type { ResponseOf } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import type { TargetMemory } from '../../memories/memory-scope.ts';
import type { SearchLog } from './search-log.ts';

interface AnsweredQuery {
  target: TargetMemory;
  context: { identity: Identity };
  input: { query: string };
}

/** What the owner of the memory may have kept of a search; its answer does not wait for it. */
export function logSearch(
  log: Pick<SearchLog, 'note'>,
  { target, context, input }: AnsweredQuery,
  body: ResponseOf<typeof operations.searchMemory>,
): void {
  log.note(target, {
    search_id: body.search_id,
    asked_at: new Date(),
    question: input.query,
    answered: body.citations.length > 0,
    generated: body.generated,
    confidence: body.confidence,
    citations: body.citations.map(({ doc_id, chunk_id }) => ({ doc_id, chunk_id })),
    took_ms: Math.round(body.timing_ms['total'] ?? 0),
    credential_id: context.identity.keyId,
  });
}
