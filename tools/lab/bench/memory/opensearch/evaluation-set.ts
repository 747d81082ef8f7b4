import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@cairn/postgres';
import type { IndexChunk, SearchIndex } from '@cairn/search-index';
import { insertChunks } from '../../../../../apps/memory/src/documents/chunk-store.ts';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import { insertDocuments } from '../bench-memory.ts';

interface JudgedQuery {
  text: string;
  judgements: Map<string, number>;
}

/** Documents, each as one chunk of one memory, and judged questions about them. */
interface EvaluationMemory {
  chunks: IndexChunk[];
  queries: JudgedQuery[];
}

interface EvaluationDocument {
  id: string;
  title?: string;
  text: string;
  scope?: string;
}

interface EvaluationQuestion {
  id: string;
  text: string;
  scope?: string;
}

const VAULT_ID = 'vlt_bench';
const CREATED_AT_MS = Date.UTC(2026, 0, 1);
const CHUNKS_AT_ONCE = 500;

/**
 * The memories of a set in the form of BEIR (corpus, queries and judgements, a JSON object a line), by their scopes; or
 * of the example handbook, whose manifest names the pages that answer a question.
 */
export async function readSet(folder: string): Promise<Map<string, EvaluationMemory>> {
  const isHandbook = (await readdir(folder)).includes('manifest.json');
  const { documents, questions, judged } = isHandbook ? await readHandbook(folder) : await readBeir(folder);
  const memories = new Map<string, EvaluationMemory>();
  const memoryOf = ({ scope = '' }: { scope?: string }) => {
    const memory = memories.get(scope) ?? { chunks: [], queries: [] };
    memories.set(scope, memory);
    return memory;
  };
  for (const document of documents) memoryOf(document).chunks.push(chunkOf(document));
  for (const question of questions) {
    const judgements = judged.get(question.id);
    if (judgements !== undefined) memoryOf(question).queries.push({ text: question.text, judgements });
  }
  return memories;
}

async function readBeir(folder: string) {
  const lines = async <T>(name: string) =>
    (await readFile(join(folder, name), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T);
  const judged = new Map<string, Map<string, number>>();
  type Judgement = { query_id: string; doc_id: string; relevance: number };
  for (const { query_id: question, doc_id: document, relevance } of await lines<Judgement>('qrels.jsonl'))
    judged.set(question, (judged.get(question) ?? new Map()).set(document, relevance));
  const documents = await lines<EvaluationDocument>('corpus.jsonl');
  return { documents, questions: await lines<EvaluationQuestion>('queries.jsonl'), judged };
}

async function readHandbook(folder: string) {
  const { pages, questions } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
    pages: { path: string; title: string }[];
    questions: { id: string; question: string; path?: string; paths?: string[] }[];
  };
  const documents: EvaluationDocument[] = await Promise.all(
    pages.map(async ({ path, title }) => ({ id: path, title, text: await readFile(join(folder, path), 'utf8') })),
  );
  const judged = new Map(
    questions.flatMap(({ id, path, paths = path === undefined ? [] : [path] }) =>
      paths.length === 0 ? [] : [[id, new Map(paths.map((one) => [one, 1]))] as const],
    ),
  );
  return {
    documents,
    questions: questions.map(({ id, question }): EvaluationQuestion => ({ id, text: question })),
    judged,
  };
}

function chunkOf({ id, title = '', text }: EvaluationDocument): IndexChunk {
  return {
    chunkId: `chk_${id}`,
    docId: id,
    vaultId: VAULT_ID,
    titlePath: title,
    contextPrefix: '',
    body: text,
    occurredAtMs: null,
    createdAtMs: CREATED_AT_MS,
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
