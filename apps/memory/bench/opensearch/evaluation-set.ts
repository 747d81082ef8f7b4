import { createHash } from 'node:crypto';
import type { Database } from '@cairn/postgres';
import { insertChunks } from '../../src/documents/chunk-store.ts';
import type { IndexChunk, SearchIndex } from '../../src/memories/search-index.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import { insertDocuments } from '../bench-memory.ts';

interface JudgedQuery {
  text: string;
  judgements: Map<string, number>;
}

/** Documents, each as one chunk, and judged questions about them. */
interface EvaluationSet {
  chunks: IndexChunk[];
  queries: JudgedQuery[];
}

const VAULT_ID = 'vlt_bench';
const CREATED_AT_MS = Date.UTC(2026, 0, 1);
const CHUNKS_AT_ONCE = 500;

/** A set in the form of BEIR: corpus, queries and judgements, a JSON object a line. */
export async function readSet(read: (name: string) => Promise<string>): Promise<EvaluationSet> {
  const lines = async <T>(name: string) =>
    (await read(name))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T);
  const corpus = await lines<{ id: string; title?: string; text: string }>('corpus.jsonl');
  const judged = Map.groupBy(
    await lines<{ query_id: string; doc_id: string; relevance: number }>('qrels.jsonl'),
    (judgement) => judgement.query_id,
  );
  const queries = await lines<{ id: string; text: string }>('queries.jsonl');
  return {
    chunks: corpus.map(({ id, title = '', text }) => ({
      chunkId: `chk_${id}`,
      docId: id,
      vaultId: VAULT_ID,
      titlePath: title,
      contextPrefix: '',
      body: text,
      occurredAtMs: null,
      createdAtMs: CREATED_AT_MS,
    })),
    queries: queries.flatMap(({ id, text }) => {
      const judgements = judged.get(id);
      if (judgements === undefined) return [];
      return [{ text, judgements: new Map(judgements.map((one) => [one.doc_id, one.relevance])) }];
    }),
  };
}

export async function storeSet(
  database: Database,
  index: SearchIndex,
  memory: MemoryScope,
  chunks: readonly IndexChunk[],
): Promise<void> {
  for (let from = 0; from < chunks.length; from += CHUNKS_AT_ONCE) {
    const some = chunks.slice(from, from + CHUNKS_AT_ONCE);
    await database.withTenant(memory.tenantId, async (tx) => {
      await insertDocuments(
        tx,
        some.map((chunk) => chunk.docId),
        memory.memoryId,
      );
      await insertChunks(
        tx,
        memory,
        some.map((chunk) => ({
          chunk_id: chunk.chunkId,
          doc_id: chunk.docId,
          vault_id: chunk.vaultId,
          ordinal: 0,
          title_path: chunk.titlePath,
          context_prefix: chunk.contextPrefix,
          body: chunk.body,
          body_sha256: createHash('sha256').update(chunk.body).digest(),
          location: {},
          occurred_at: null,
        })),
      );
      await index.add(tx, memory, some);
    });
  }
}
