import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chunkText } from '@cairn/documents';
import { type ChunkRow, insertChunks } from '../../../../apps/memory/src/documents/chunk-store.ts';
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
import { linkBatches } from './link-documents.ts';
import { startPipelineProcesses } from './pipeline-processes.ts';

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
  /** The first so many. */
  documentsMax: number;
  say: (line: string) => void;
}

const DOCUMENTS_A_TRANSACTION = 16;
const PROCESSES: readonly number[] = [1, 2];

/** Long documents that people and a program wrote, all in one memory, and the questions that come with them. */
export async function measureSessions(server: BenchServer, options: SessionsOptions): Promise<SessionsResult> {
  const { folder, documentsMax, say } = options;
  const all = await readLines<{ id: string; text: string }>(join(folder, 'corpus.jsonl'));
  const documents = all.slice(0, documentsMax);
  const questions = (await readLines<{ text: string }>(join(folder, 'queries.jsonl'))).map(({ text }) => text);
  const deps = await openBenchDeps(server.urls);
  try {
    const stored: ChunkRow[][] = [];
    for (let from = 0; from < documents.length; from += DOCUMENTS_A_TRANSACTION) {
      stored.push(documents.slice(from, from + DOCUMENTS_A_TRANSACTION).flatMap(rowsOf));
      await store(deps, stored.at(-1)!);
    }
    await settleMerges(deps);
    say(`stored ${documents.length} documents`);
    await linkBatches(deps, stored, (linked) => say(`linked ${linked} of ${documents.length} documents`));
    await asSuperuser(server.urls, (admin) => admin.query('VACUUM ANALYZE'));
    const chunks = stored.flat().length;
    const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
    return { documents: documents.length, chunks, characters, ...(await ask(server, questions)) };
  } finally {
    await deps.close();
  }
}

async function ask(
  server: BenchServer,
  questions: readonly string[],
): Promise<Pick<SessionsResult, 'questions' | 'first' | 'again'>> {
  const again: CallerTimes[] = [];
  let first: CallerTimes | undefined;
  for (const processes of PROCESSES) {
    const asked = await startPipelineProcesses(server, processes);
    try {
      const once = await measureCallers(asked, questions, { callers: [1], requests: questions.length });
      first ??= once[0];
      again.push(...(await measureCallers(asked, questions)));
    } finally {
      await asked.close();
    }
  }
  return { questions: questions.length, first: first!, again };
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

async function store(deps: BenchDeps, rows: readonly ChunkRow[]): Promise<void> {
  await deps.app.withTenant(BENCH_MEMORY.tenantId, async (tx) => {
    await insertDocuments(tx, [...new Set(rows.map(({ doc_id }) => doc_id))]);
    await insertChunks(tx, BENCH_MEMORY, rows);
    await deps.index.add(tx, BENCH_MEMORY, rows.map(indexChunkOf));
  });
}
