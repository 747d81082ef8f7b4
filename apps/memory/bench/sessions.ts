import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chunkText } from '@cairn/documents';
import { type ChunkRow, insertChunks } from '../src/documents/chunk-store.ts';
import { createGraphLinker } from '../src/graph/linking/graph-linker.ts';
import { readHere } from '../tests/read-here.ts';
import {
  BENCH_MEMORY,
  type BenchDeps,
  BENCH_VAULT_ID,
  indexChunkOf,
  insertDocuments,
  openBenchDeps,
  settleMerges,
} from './bench-memory.ts';
import { asSuperuser, type BenchServer } from './bench-server.ts';
import { type CallerTimes, measureCallers } from './callers.ts';
import { startPipelineServer } from './pipeline-server.ts';

export interface SessionsResult {
  documents: number;
  chunks: number;
  characters: number;
  questions: number;
  /** Each question for the first time, by one caller. */
  first: CallerTimes;
  again: CallerTimes[];
}

interface SessionsOptions {
  /** With corpus.jsonl and queries.jsonl. */
  folder: string;
  say: (line: string) => void;
}

const DOCUMENTS_A_TRANSACTION = 16;

/** Long documents that people and a program wrote, all in one memory, and the questions that come with them. */
export async function measureSessions(server: BenchServer, { folder, say }: SessionsOptions): Promise<SessionsResult> {
  const documents = await readLines<{ id: string; text: string }>(join(folder, 'corpus.jsonl'));
  const questions = (await readLines<{ text: string }>(join(folder, 'queries.jsonl'))).map(({ text }) => text);
  const deps = await openBenchDeps(server.urls);
  const asked = await startPipelineServer(deps);
  try {
    let chunks = 0;
    for (let from = 0; from < documents.length; from += DOCUMENTS_A_TRANSACTION) {
      const some = documents.slice(from, from + DOCUMENTS_A_TRANSACTION).map(rowsOf);
      await store(deps, some);
      chunks += some.flat().length;
      if ((from / DOCUMENTS_A_TRANSACTION) % 10 === 0) say(`stored ${from} of ${documents.length} documents`);
    }
    await settleMerges(deps);
    await asSuperuser(server.urls, (admin) => admin.query('VACUUM ANALYZE'));
    const [first] = await measureCallers(asked, questions, { callers: [1], requests: questions.length });
    const again = await measureCallers(asked, questions);
    const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
    return { documents: documents.length, chunks, characters, questions: questions.length, first: first!, again };
  } finally {
    await asked.close();
    await deps.close();
  }
}

async function readLines<T>(file: string): Promise<T[]> {
  const text = await readFile(file, 'utf8');
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as T]));
}

function rowsOf({ id, text }: { id: string; text: string }): ChunkRow[] {
  return chunkText(text, null).map((chunk, ordinal) => ({
    chunk_id: idOf('chk', `${id} ${ordinal}`),
    doc_id: idOf('doc', id),
    vault_id: BENCH_VAULT_ID,
    ordinal,
    title_path: chunk.titlePath,
    context_prefix: chunk.contextPrefix,
    body: chunk.body,
    body_sha256: createHash('sha256').update(chunk.body).digest(),
    location: { ...chunk.location },
    occurred_at: null,
  }));
}

function idOf(prefix: string, name: string): string {
  return `${prefix}_${createHash('sha256').update(name).digest('hex').slice(0, 26)}`;
}

/** As the last steps of ingestion do: chunks, index and graph. */
async function store(deps: BenchDeps, documents: readonly ChunkRow[][]): Promise<void> {
  const memory = { ...BENCH_MEMORY, workspaceId: 'wsp_bench', livemode: true };
  const linker = createGraphLinker(readHere, null);
  const rows = documents.flat();
  await deps.app.withTenant(memory.tenantId, async (tx) => {
    await insertDocuments(tx, [...new Set(rows.map(({ doc_id }) => doc_id))]);
    await insertChunks(tx, BENCH_MEMORY, rows);
    await deps.index.add(tx, BENCH_MEMORY, rows.map(indexChunkOf));
    await linker.linkDocuments(
      tx,
      memory,
      documents.map((chunks) => ({
        document: { doc_id: chunks[0]!.doc_id, vault_id: BENCH_VAULT_ID, occurred_at: null } as never,
        chunks,
      })),
    );
  });
}
