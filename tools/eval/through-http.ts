import { setTimeout as sleep } from 'node:timers/promises';
import type { RetrievalSet } from './retrieval-set.ts';

/** An installation and a key to it. */
export interface Target {
  baseUrl: string;
  apiKey: string;
}

export interface RunResult {
  /** Ranked document ids by question id. */
  rankings: Map<string, string[]>;
  /** Milliseconds a question took, as the caller saw it. */
  latenciesMs: number[];
  ingestMs: number;
}

const BATCH = 100;
const DEPTH = 100;
const WHOLE = '';

/** Ingests a set through the API, one memory a scope, waits until all is searchable, and asks every question. */
export async function runThroughHttp(target: Target, set: RetrievalSet): Promise<RunResult> {
  const startedMs = performance.now();
  const memories = new Map<string, string>();
  const documentIds = new Map<string, string>();
  for (const [scope, documents] of Map.groupBy(set.documents, (document) => document.scope ?? WHOLE)) {
    const memory = await call<{ memory_id: string }>(target, 'POST', '/api/v1/memories', {
      display_name: `${set.name} ${scope}`,
    });
    memories.set(scope, memory.memory_id);
    for (let start = 0; start < documents.length; start += BATCH) {
      const batch = documents.slice(start, start + BATCH);
      const answer = await call<{ documents: { doc_id: string }[] }>(target, 'POST', '/api/v1/memory/documents', {
        memory_id: memory.memory_id,
        documents: batch.map(({ id, text, title }) => ({
          external_id: id,
          content: text === '' ? (title ?? id) : text,
          ...(title ? { title } : {}),
        })),
      });
      answer.documents.forEach(({ doc_id }, index) => documentIds.set(doc_id, batch[index]!.id));
    }
  }
  for (const memoryId of memories.values()) await untilSettled(target, memoryId);
  const ingestMs = performance.now() - startedMs;

  const rankings = new Map<string, string[]>();
  const latenciesMs: number[] = [];
  for (const question of set.questions) {
    const askedMs = performance.now();
    const answer = await call<{ results: { doc_id: string }[] }>(target, 'POST', '/api/v1/memory/search', {
      query: question.text,
      memory_id: memories.get(question.scope ?? WHOLE),
      top_k: DEPTH,
    });
    latenciesMs.push(performance.now() - askedMs);
    rankings.set(question.id, [...new Set(answer.results.map(({ doc_id }) => documentIds.get(doc_id) ?? doc_id))]);
  }
  return { rankings, latenciesMs, ingestMs };
}

async function untilSettled(target: Target, memoryId: string): Promise<void> {
  for (const status of ['queued', 'parsing', 'screening', 'routing', 'indexing', 'linking']) {
    for (;;) {
      const page = await call<{ documents: unknown[] }>(
        target,
        'GET',
        `/api/v1/memory/documents?memory_id=${memoryId}&status=${status}&limit=1`,
      );
      if (page.documents.length === 0) break;
      await sleep(100);
    }
  }
  const failed = await call<{ documents: unknown[] }>(
    target,
    'GET',
    `/api/v1/memory/documents?memory_id=${memoryId}&status=failed&limit=1`,
  );
  if (failed.documents.length > 0) throw new Error(`documents failed: ${JSON.stringify(failed.documents[0])}`);
}

async function call<T>(target: Target, method: string, path: string, body?: unknown): Promise<T> {
  for (;;) {
    const response = await fetch(target.baseUrl + path, {
      method,
      headers: { 'x-api-key': target.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return (await response.json()) as T;
    const text = await response.text();
    if (response.status !== 429) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}
