import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RunningCairn } from '@cairn/testing';
import { processMemory } from '../../../measurement/process-memory.ts';
import {
  createPreparePool,
  type PreparePool,
} from '../../../../../apps/memory/src/ingestion/preparing/prepare-pool.ts';
import { call, DOCUMENTS, finalDocument, formOf, type Target } from './client.ts';
import { memoryProcess } from './memory-process.ts';

interface Fixture {
  file: string;
  expect: string;
  reference?: string;
  min_token_recall?: number;
  must_contain?: string[];
}

export interface FileResult {
  file: string;
  expect: string;
  /** As the service ended it: `completed`, or the code it failed with. */
  outcome: string;
  /** Share of the reference's tokens, each as often as it is there; null without a reference. */
  recall: number | null;
  /** The same over distinct tokens. */
  distinctRecall: number | null;
  missing: string[];
  /** From the upload to the end. */
  ms: number;
  isAsExpected: boolean;
  /** A search right after finds the document by words of it. */
  isFound: boolean | null;
}

/** Reads every fixture through the API, and its text by the same reader. */
export async function evaluateFiles(
  folder: string,
  cairn: RunningCairn,
): Promise<{ results: FileResult[]; peakMb: number }> {
  const target: Target = { baseUrl: cairn.baseUrl, apiKey: cairn.apiKey };
  const lines = (await readFile(join(folder, 'manifest.jsonl'), 'utf8')).trim().split('\n');
  const pool = createPreparePool({ workers: 2, cpuMaxMs: 30_000, memoryMaxMb: 384 });
  const results: FileResult[] = [];
  try {
    for (const line of lines) results.push(await evaluateFile(folder, target, pool, JSON.parse(line) as Fixture));
  } finally {
    await pool.close();
  }
  const pid = await memoryProcess(cairn);
  return { results, peakMb: pid === null ? 0 : Math.round((await processMemory(pid)).residentPeak) };
}

async function evaluateFile(folder: string, target: Target, pool: PreparePool, fixture: Fixture): Promise<FileResult> {
  const bytes = await readFile(join(folder, fixture.file));
  const startedMs = performance.now();
  const answer = await call<{ documents: { doc_id: string }[] }>(
    target,
    'POST',
    DOCUMENTS,
    formOf(basename(fixture.file), bytes),
  );
  const document = await finalDocument(target, answer.documents[0]!.doc_id);
  const ms = performance.now() - startedMs;
  const outcome = document.status === 'failed' ? document.error!.code : document.status;
  const text = outcome === 'completed' ? await textOf(pool, bytes) : '';
  const reference = fixture.reference === undefined ? null : await readFile(join(folder, fixture.reference), 'utf8');
  const plain = withoutNames(text);
  const contained = collapse(`${text}\n${plain}`);
  return {
    file: fixture.file,
    expect: fixture.expect,
    outcome,
    recall: reference === null ? null : recallOf(tokensOf(reference), tokensOf(text)),
    distinctRecall: reference === null ? null : recallOf([...new Set(tokensOf(reference))], tokensOf(text)),
    missing: (fixture.must_contain ?? []).filter((wanted) => !contained.includes(collapse(wanted))),
    ms,
    isAsExpected: isAsExpected(fixture.expect, outcome),
    isFound: outcome === 'completed' ? await isFound(target, document.doc_id, text) : null,
  };
}

function isAsExpected(expected: string, outcome: string): boolean {
  switch (expected) {
    case 'text':
      return outcome === 'completed';
    case 'no_text':
    case 'password_required':
      return outcome === expected;
    case 'reject':
      return outcome !== 'completed';
    default:
      return true;
  }
}

async function textOf(pool: PreparePool, bytes: Buffer): Promise<string> {
  const about = { fileName: '', mediaType: '', title: null, metadata: {}, url: null, withTerms: false };
  const [prepared] = await pool.prepare('tnt_eval', [{ ...about, policy: 'off', content: new Uint8Array(bytes) }]);
  if (prepared?.ok !== true) return '';
  const headings = new Set<string>();
  return [
    prepared.title,
    ...prepared.chunks.map((chunk) => {
      const path = chunk.titlePath;
      const first = !headings.has(path);
      headings.add(path);
      return `${first ? path : ''}\n${chunk.contextPrefix}\n${chunk.body}`;
    }),
  ].join('\n');
}

/** Rows are told with the names of their columns; here they are as they stand in the file. */
export function withoutNames(text: string): string {
  const names = new Set<string>();
  const lines = text.split('\n').map((line) => {
    const cells = line.split('; ').map((cell) => /^([^:]{1,80}): (.*)$/.exec(cell));
    if (cells.length < 2 || cells.includes(null)) return line;
    for (const cell of cells) names.add(cell![1]!);
    return cells.map((cell) => cell![2]).join(' ');
  });
  return names.size === 0 ? text : [[...names].join(' '), ...lines].join('\n');
}

async function isFound(target: Target, docId: string, text: string): Promise<boolean> {
  const words = tokensOf(text)
    .filter((token) => token.length > 3 && token.length < 40)
    .slice(0, 12)
    .join(' ');
  const query = words === '' ? text.slice(0, 100).trim() : words;
  const { results } = await call<{ results: { doc_id: string }[] }>(target, 'POST', '/api/v1/memory/search', {
    query,
    top_k: 20,
  });
  return results.some((result) => result.doc_id === docId);
}

function tokensOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function recallOf(wanted: readonly string[], have: readonly string[]): number {
  const left = new Map<string, number>();
  for (const token of have) left.set(token, (left.get(token) ?? 0) + 1);
  let hits = 0;
  for (const token of wanted) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    hits += 1;
    left.set(token, count - 1);
  }
  return wanted.length === 0 ? 1 : hits / wanted.length;
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ');
}
