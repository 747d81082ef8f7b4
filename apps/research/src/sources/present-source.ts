import type { listRunSources, ResponseOf } from '@cairn/contracts';
import type { SourceRecord } from './source-store.ts';

/** A source as the API shows it, without its text. */
export function presentSource(
  source: Omit<SourceRecord, 'body' | 'vault_id'>,
): ResponseOf<typeof listRunSources>['sources'][number] {
  return {
    source_id: source.source_id,
    thread_id: source.run_id,
    kind: source.kind,
    title: source.title,
    uri: source.uri,
    // What is of the memory is kept once for each document.
    doc_id: source.kind === 'memory' ? source.origin : null,
    occurred_at: source.occurred_at?.toISOString() ?? null,
    read_at: source.created_at.toISOString(),
  };
}
