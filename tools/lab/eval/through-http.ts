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
  /** By question id, the results in order with the parts of their scores; empty for a peer that does not say. */
  shares: Map<string, Shares[]>;
  /** Milliseconds a question took, as the caller saw it. */
  latenciesMs: number[];
  ingestMs: number;
  /** Where the documents lie, by scope, and which is which, by the id that the API gave. */
  memories: Map<string, string>;
  documentIds: Map<string, string>;
}

const BATCH = 100;
const DEPTH = 100;
const WHOLE = '';

/** One result of a question with what each signal added to its score. */
export interface Shares {
  id: string;
  signals: Record<string, number>;
}

/** Ingests documents through the API, one memory a scope, and waits until all is searchable. */
export async function ingestAll(
  target: Target,
  set: Pick<RetrievalSet, 'name' | 'documents'>,
): Promise<{ memories: Map<string, string>; documentIds: Map<string, string> }> {
  const memories = new Map<string, string>();
  const documentIds = new Map<string, string>();
  for (const [scope, documents] of Map.groupBy(set.documents, (document) => document.scope ?? WHOLE)) {
    const memory = await callApi<{ memory_id: string }>(target, 'POST', '/api/v1/memories', {
      display_name: `${set.name} ${scope}`,
    });
    memories.set(scope, memory.memory_id);
    for (let start = 0; start < documents.length; start += BATCH) {
      const batch = documents.slice(start, start + BATCH);
      const answer = await callApi<{ documents: { doc_id: string }[] }>(target, 'POST', '/api/v1/memory/documents', {
        memory_id: memory.memory_id,
        documents: batch.map(({ id, text, title, meta }) => ({
          external_id: id,
          content: text === '' ? (title ?? id) : text,
          ...(title ? { title } : {}),
          ...statedTime(meta?.date_time),
        })),
      });
      answer.documents.forEach(({ doc_id }, index) => documentIds.set(doc_id, batch[index]!.id));
    }
  }
  for (const memoryId of memories.values()) await untilSettled(target, memoryId);
  return { memories, documentIds };
}

/** A question's answer with the passages it may cite. */
export interface AnswerResult {
  answer: string;
  confidence: number;
  citations: { citation_id: string; doc_id: string; chunk_id: string }[];
  results: { chunk_id: string; doc_id: string; title: string; text: string; score: number }[];
}

export async function askAnswer(target: Target, query: string, memoryId: string): Promise<AnswerResult> {
  return callApi<AnswerResult>(target, 'POST', '/api/v1/memory/search', {
    query,
    memory_id: memoryId,
    top_k: ANSWER_DEPTH,
  });
}

/** More than an answer reads, so that every cited passage is among the results. */
const ANSWER_DEPTH = 20;

/** Ingests a set through the API and asks every question; `beforeAsking` waits for what the API does not show. */
export async function runThroughHttp(
  target: Target,
  set: RetrievalSet,
  beforeAsking: () => Promise<void> = () => Promise.resolve(),
): Promise<RunResult> {
  const startedMs = performance.now();
  const { memories, documentIds } = await ingestAll(target, set);
  await beforeAsking();
  const ingestMs = performance.now() - startedMs;

  const rankings = new Map<string, string[]>();
  const shares = new Map<string, Shares[]>();
  const latenciesMs: number[] = [];
  for (const question of set.questions) {
    const asked = { query: question.text, memory_id: memories.get(question.scope ?? WHOLE), top_k: DEPTH };
    const askedMs = performance.now();
    const answer = await callApi<SearchAnswer>(target, 'POST', '/api/v1/memory/search', asked);
    latenciesMs.push(performance.now() - askedMs);
    rankings.set(question.id, [...new Set(answer.results.map(({ doc_id }) => documentIds.get(doc_id) ?? doc_id))]);
    const explained = await callApi<SearchAnswer>(target, 'POST', '/api/v1/memory/search', { ...asked, explain: true });
    shares.set(
      question.id,
      explained.results.map(({ doc_id, explanation }) => ({
        id: documentIds.get(doc_id) ?? doc_id,
        signals: explanation!.signals,
      })),
    );
  }
  return { rankings, shares, latenciesMs, ingestMs, memories, documentIds };
}

interface SearchAnswer {
  results: { doc_id: string; explanation?: { signals: Record<string, number> } }[];
}

/** `1:56 pm on 8 May, 2023`, as LoCoMo writes it, as the time a document happened; in UTC, for want of a zone. */
function statedTime(text: string | undefined): { occurred_at?: string } {
  const match = /^(.+?) on (\d{1,2} \w+),? (\d{4})$/.exec(text ?? '');
  if (match === null) return {};
  const ms = Date.parse(`${match[2]} ${match[3]} ${match[1]} UTC`);
  return Number.isNaN(ms) ? {} : { occurred_at: new Date(ms).toISOString() };
}

export async function untilSettled(target: Target, memoryId: string): Promise<void> {
  for (const status of ['queued', 'parsing', 'screening', 'routing', 'indexing', 'linking']) {
    for (;;) {
      const page = await callApi<{ documents: unknown[] }>(
        target,
        'GET',
        `/api/v1/memory/documents?memory_id=${memoryId}&status=${status}&limit=1`,
      );
      if (page.documents.length === 0) break;
      await sleep(100);
    }
  }
  const failed = await callApi<{ documents: unknown[] }>(
    target,
    'GET',
    `/api/v1/memory/documents?memory_id=${memoryId}&status=failed&limit=1`,
  );
  if (failed.documents.length > 0) throw new Error(`documents failed: ${JSON.stringify(failed.documents[0])}`);
}

/** Asks the API; waits where it limits the rate. */
export async function callApi<T>(target: Target, method: string, path: string, body?: unknown): Promise<T> {
  for (;;) {
    const response = await fetch(target.baseUrl + path, {
      method,
      headers: {
        'x-api-key': target.apiKey,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    if (response.ok) return (await response.json()) as T;
    const text = await response.text();
    if (response.status !== 429) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}
