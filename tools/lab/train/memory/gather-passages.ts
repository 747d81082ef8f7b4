import { setTimeout as sleep } from 'node:timers/promises';
import { TITLE_SEPARATOR } from '@cairn/documents';
import { beginExtractiveAnswer } from '../../../../apps/memory/src/search/answer/extractive-answer.ts';
import type { Passage } from '../../../../apps/memory/src/search/answer/passage.ts';
import type { Collection } from './read-collections.ts';
import type { TestQuestion, TrainingQuestion } from './training-set.ts';

/** An installation and a key to it. */
interface Installation {
  url: string;
  key: string;
}

/** What an answer reads. */
const DEPTH = 20;
/** What its second step reads. */
const FURTHER_MAX = 10;
const BATCH = 100;

/** Stores the documents of a collection in a memory of their own and waits until all can be found. */
export async function storeCollection(to: Installation, { name, documents }: Collection): Promise<string> {
  const { memory_id: memoryId } = await call<{ memory_id: string }>(to, 'POST', '/memories', { display_name: name });
  for (let start = 0; start < documents.length; start += BATCH)
    await call(to, 'POST', '/memory/documents', {
      memory_id: memoryId,
      documents: documents
        .slice(start, start + BATCH)
        .map(({ id, title, content }) => ({ external_id: id, title, content })),
    });
  for (const status of ['queued', 'parsing', 'screening', 'routing', 'indexing', 'linking'])
    while (await hasDocuments(to, memoryId, status)) await sleep(500);
  return memoryId;
}

async function hasDocuments(to: Installation, memoryId: string, status: string): Promise<boolean> {
  const path = `/memory/documents?memory_id=${memoryId}&status=${status}&limit=1`;
  return (await call<{ documents: unknown[] }>(to, 'GET', path)).documents.length > 0;
}

/** A question with what the service finds for it, and for the second step that its first sentences leave open. */
export async function gatherPassages(
  from: Installation,
  memoryId: string,
  question: TestQuestion,
): Promise<TrainingQuestion> {
  const passages = await find(from, memoryId, question.question, DEPTH);
  const { open } = beginExtractiveAnswer(question.question, passages);
  const second = open === null ? [] : await find(from, memoryId, open.query, FURTHER_MAX);
  const known = new Set(passages.map(({ chunkId }) => chunkId));
  const lowest = passages.at(-1)?.score ?? 0;
  const further = second
    .filter(({ chunkId }) => !known.has(chunkId))
    .map((passage) => ({ ...passage, score: Math.min(passage.score, lowest) }));
  return { ...question, passages, further };
}

interface Result {
  chunk_id: string;
  doc_id: string;
  title: string;
  text: string;
  score: number;
  location: { heading?: string };
}

async function find(from: Installation, memoryId: string, query: string, limit: number): Promise<Passage[]> {
  // Without an explicit date a time window would move with the day of the run.
  const asked = { query, memory_id: memoryId, top_k: limit, as_of: '2026-01-01T00:00:00Z' };
  const { results } = await call<{ results: Result[] }>(from, 'POST', '/memory/search', asked);
  return results.map(({ chunk_id, doc_id, title, text, score, location: { heading } }) => ({
    chunkId: chunk_id,
    docId: doc_id,
    title,
    titlePath: heading === undefined || heading === title ? title : `${title}${TITLE_SEPARATOR}${heading}`,
    body: text,
    score,
  }));
}

async function call<T>({ url, key }: Installation, method: string, path: string, body?: unknown): Promise<T> {
  for (;;) {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return (await response.json()) as T;
    const text = await response.text();
    if (response.status !== 429) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}
