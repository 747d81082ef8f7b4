import type { Cairn, SearchAnswer, SearchMemoryRequest, TextSpan } from '@cairn/sdk';
import { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';

export interface CairnRetrieverFields extends BaseRetrieverInput {
  client: Cairn;
  memory: string;
  /** Only this space of the memory. */
  space?: string;
  /** How many passages; the API's default without it. */
  topK?: number;
  filters?: SearchMemoryRequest['filters'];
}

export interface PassageMetadata {
  doc_id: string;
  chunk_id: string;
  title: string;
  score: number;
  /** Where the words that support the answer stand in the text, when the answer cites the passage. */
  span: TextSpan | null;
  source_uri: string | null;
  occurred_at: string | null;
}

/** Passages of a memory, the best first. */
export class CairnRetriever extends BaseRetriever<PassageMetadata> {
  lc_namespace = ['cairn', 'retrievers'];
  private readonly fields: CairnRetrieverFields;

  constructor(fields: CairnRetrieverFields) {
    super(fields);
    this.fields = fields;
  }

  static override lc_name(): string {
    return 'CairnRetriever';
  }

  override async _getRelevantDocuments(query: string): Promise<Document<PassageMetadata>[]> {
    const { client, memory, space, topK, filters } = this.fields;
    const answer = await client.search.query({
      query,
      memory_id: memory,
      ...(space === undefined ? {} : { space_id: space }),
      ...(topK === undefined ? {} : { top_k: topK }),
      ...(filters === undefined ? {} : { filters }),
    });
    return passagesOf(answer);
  }
}

function passagesOf({ results, citations }: SearchAnswer): Document<PassageMetadata>[] {
  const spans = new Map(citations.map(({ chunk_id, span }) => [chunk_id, span]));
  return results.map(({ text, doc_id, chunk_id, title, score, source_uri, occurred_at }) => {
    const metadata = { doc_id, chunk_id, title, score, span: spans.get(chunk_id) ?? null, source_uri, occurred_at };
    return new Document({ id: chunk_id, pageContent: text, metadata });
  });
}
