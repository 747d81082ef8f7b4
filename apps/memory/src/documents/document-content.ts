import type { ResponseOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { TITLE_SEPARATOR } from '@cairn/documents';
import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { ChunkRow } from './chunk-store.ts';

/** Chunks of a page, whatever their size. */
const CHUNKS_MAX = 500;
const FACTS_PER_CHUNK_MAX = 100;

type ContentChunk = Pick<ChunkRow, 'chunk_id' | 'ordinal' | 'title_path' | 'body' | 'location'>;
type PresentedChunk = ResponseOf<typeof operations.getDocumentContent>['chunks'][number];

/**
 * The chunks of a document behind `after`, as many as have `maxBytes` of text together and at least one, and whether more
 * follow.
 */
export async function contentPage(
  tx: Tx,
  scope: MemoryScope,
  docId: string,
  page: { after: number; maxBytes: number },
): Promise<{ chunks: ContentChunk[]; hasMore: boolean }> {
  const rows = await tx.query<ContentChunk & { has_more: boolean }>({
    name: 'document_content',
    text: `SELECT chunk_id, ordinal, title_path, body, location, has_more
             FROM (SELECT *, sum(octet_length(body)) OVER in_order AS bytes, row_number() OVER in_order AS place,
                          lead(ordinal) OVER in_order IS NOT NULL AS has_more
                     FROM (SELECT * FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 AND ordinal > $4
                            ORDER BY ordinal LIMIT $6 + 1) AS following
                   WINDOW in_order AS (ORDER BY ordinal)) AS counted
            WHERE place = 1 OR (bytes <= $5 AND place <= $6)
            ORDER BY ordinal`,
    values: [scope.tenantId, scope.memoryId, docId, page.after, page.maxBytes, CHUNKS_MAX],
  });
  const chunks = rows.map(({ has_more: _more, ...chunk }) => chunk);
  return { chunks, hasMore: rows.at(-1)?.has_more === true };
}

/** Chunks of one document as callers see them, with what their words state. */
export async function presentChunks(
  tx: Tx,
  scope: MemoryScope,
  docId: string,
  chunks: readonly ContentChunk[],
): Promise<PresentedChunk[]> {
  const facts = Map.groupBy(
    await factsOf(
      tx,
      scope,
      docId,
      chunks.map(({ chunk_id }) => chunk_id),
    ),
    ({ chunk_id }) => chunk_id,
  );
  return chunks.map(({ chunk_id, ordinal, title_path, body, location }) => ({
    chunk_id,
    ordinal,
    text: body,
    headings: title_path === '' ? [] : title_path.split(TITLE_SEPARATOR),
    page: numberOf(location['page']),
    page_end: numberOf(location['page_end']),
    location,
    facts: (facts.get(chunk_id) ?? []).map(({ fact_id, entity_id, relation, quote_start, quote_end }) => ({
      fact_id,
      entity_id,
      relation,
      span: { start: quote_start, end: quote_end },
    })),
  }));
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

interface PlacedFact {
  chunk_id: string;
  fact_id: string;
  entity_id: string;
  relation: string;
  quote_start: number;
  quote_end: number;
}

async function factsOf(tx: Tx, scope: MemoryScope, docId: string, chunkIds: readonly string[]): Promise<PlacedFact[]> {
  return tx.query<PlacedFact>({
    name: 'document_facts',
    // Look-ups, one for each row: a join would read all names of the memory as long as there are no statistics.
    text: `SELECT fact.chunk_id, fact.fact_id, name.entity_id, fact.relation, fact.quote_start, fact.quote_end
             FROM unnest($4::text[]) AS wanted (chunk)
            CROSS JOIN LATERAL (SELECT * FROM graph_facts
                                 WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3 AND chunk_id = wanted.chunk
                                 ORDER BY quote_start, fact_id LIMIT ${FACTS_PER_CHUNK_MAX}) AS fact
            CROSS JOIN LATERAL (SELECT entity_id FROM graph_names
                                 WHERE tenant_id = $1 AND memory_id = $2 AND name_no = fact.subject_no OFFSET 0) AS name
            ORDER BY fact.quote_start, fact.fact_id`,
    values: [scope.tenantId, scope.memoryId, docId, chunkIds],
  });
}
