import { openAsBlob } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client } from './client.ts';

const TEXT_EXTENSIONS = new Set(['.md', '.markdown', '.txt', '.text']);
/** Sent as they are; the service looks at what is in them, whatever they are called. */
const FILE_EXTENSIONS = new Set(
  ['pdf', 'docx', 'pptx', 'xlsx', 'csv', 'tsv', 'json', 'html', 'htm', 'eml', 'epub'].map((name) => `.${name}`),
);
const UPLOADS_AT_ONCE = 4;
const BATCH_MAX_DOCUMENTS = 100;
const BATCH_MAX_BYTES = 4 * 1_048_576;
const POLL_MS = 150;
const TRIES_MAX = 8;
const PAGE = 200;

interface IngestProgress {
  total: number;
  sent: number;
  completed: number;
  failed: number;
}

interface IngestResult extends IngestProgress {
  skipped: string[];
  failures: { path: string; message: string }[];
}

interface SourceFile {
  path: string;
  externalId: string;
  bytes: number;
}

/** Sends the files below the paths and waits until each is searchable or has failed. */
export async function ingestPaths(
  client: Client,
  paths: readonly string[],
  options: {
    memoryId?: string | undefined;
    only?: (path: string) => boolean;
    onProgress?: (progress: IngestProgress) => void;
  },
): Promise<IngestResult> {
  const { texts, files, skipped } = await findFiles(paths, options.only);
  const result: IngestResult = {
    total: texts.length + files.length,
    sent: 0,
    completed: 0,
    failed: 0,
    skipped,
    failures: [],
  };
  const pathOf = new Map<string, string>();
  const settled = new Set<string>();
  for (const batch of batchesOf(texts)) {
    const documents = await Promise.all(
      batch.map(async (file) => ({ content: await readFile(file.path, 'utf8'), external_id: file.externalId })),
    );
    const filled = documents.filter((document) => document.content.trim() !== '');
    const answer = await sendBatch(client, {
      documents: filled,
      ...(options.memoryId === undefined ? {} : { memory_id: options.memoryId }),
    });
    answer.documents.forEach(({ doc_id }, index) => pathOf.set(doc_id, filled[index]!.external_id));
    result.total -= documents.length - filled.length;
    result.sent += filled.length;
    await countSettled(client, options.memoryId, pathOf, settled, result);
    options.onProgress?.(result);
  }
  for (let at = 0; at < files.length; at += UPLOADS_AT_ONCE) {
    const group = files.slice(at, at + UPLOADS_AT_ONCE);
    const sent = await Promise.all(group.map((file) => uploadFile(client, file, options.memoryId, result)));
    sent.forEach((docId, index) => docId !== null && pathOf.set(docId, group[index]!.externalId));
    await countSettled(client, options.memoryId, pathOf, settled, result);
    options.onProgress?.(result);
  }
  while (settled.size < pathOf.size) {
    await sleep(POLL_MS);
    await countSettled(client, options.memoryId, pathOf, settled, result);
    options.onProgress?.(result);
  }
  return result;
}

/** Returns the document's id, or null when the service refuses the file, which is then noted. */
async function uploadFile(
  client: Client,
  file: SourceFile,
  memoryId: string | undefined,
  result: IngestResult,
): Promise<string | null> {
  const form = new FormData();
  form.set('external_id', file.externalId);
  if (memoryId !== undefined) form.set('memory_id', memoryId);
  form.set('file', await openAsBlob(file.path), basename(file.path));
  try {
    const answer = await patiently(() =>
      client.upload<{ documents: { doc_id: string }[] }>('/api/v1/memory/documents', form),
    );
    result.sent += 1;
    return answer.documents[0]!.doc_id;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401 || error.status === 403) throw error;
    result.failed += 1;
    result.failures.push({ path: file.externalId, message: error.message });
    return null;
  }
}

async function findFiles(
  paths: readonly string[],
  only: (path: string) => boolean = () => true,
): Promise<{ texts: SourceFile[]; files: SourceFile[]; skipped: string[] }> {
  const texts: SourceFile[] = [];
  const files: SourceFile[] = [];
  const skipped: string[] = [];
  const visit = async (path: string, root: string): Promise<void> => {
    const info = await stat(path);
    if (info.isDirectory()) {
      for (const name of (await readdir(path)).sort()) if (!name.startsWith('.')) await visit(join(path, name), root);
      return;
    }
    if (!only(path)) return;
    const extension = extname(path).toLowerCase();
    const externalId = (relative(root, path) || basename(path)).split(sep).join('/');
    if (TEXT_EXTENSIONS.has(extension)) texts.push({ path, externalId, bytes: info.size });
    else if (FILE_EXTENSIONS.has(extension)) files.push({ path, externalId, bytes: info.size });
    else skipped.push(path);
  };
  for (const path of paths) await visit(path, path);
  return { texts, files, skipped };
}

function batchesOf(files: readonly SourceFile[]): SourceFile[][] {
  const batches: SourceFile[][] = [];
  let bytes = 0;
  for (const file of files) {
    const open = batches.at(-1);
    if (open === undefined || open.length === BATCH_MAX_DOCUMENTS || bytes + file.bytes > BATCH_MAX_BYTES) {
      batches.push([file]);
      bytes = file.bytes;
    } else {
      open.push(file);
      bytes += file.bytes;
    }
  }
  return batches;
}

function sendBatch(client: Client, body: unknown): Promise<{ documents: { doc_id: string }[] }> {
  return patiently(() => client.post('/api/v1/memory/documents', body));
}

/** A full queue or a restarting part is waited for; the external ids make a repeat harmless. */
async function patiently<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const passing =
        error instanceof ApiError ? error.status === 429 || error.status === 503 : error instanceof TypeError;
      if (!passing || attempt === TRIES_MAX) throw error;
      await sleep(Math.max(error instanceof ApiError ? error.retryAfterSeconds : 0, 0.25 * attempt) * 1_000);
    }
  }
}

async function countSettled(
  client: Client,
  memoryId: string | undefined,
  pathOf: ReadonlyMap<string, string>,
  settled: Set<string>,
  result: IngestResult,
): Promise<void> {
  let cursor = '';
  do {
    const query = new URLSearchParams({
      limit: String(PAGE),
      ...(cursor === '' ? {} : { cursor }),
      ...(memoryId === undefined ? {} : { memory_id: memoryId }),
    });
    const page = await client.get<{
      documents: { doc_id: string; status: string; error: { message: string } | null }[];
      next_cursor?: string;
    }>(`/api/v1/memory/documents?${query}`);
    for (const { doc_id, status, error } of page.documents) {
      const path = pathOf.get(doc_id);
      if (path === undefined || settled.has(doc_id) || (status !== 'completed' && status !== 'failed')) continue;
      settled.add(doc_id);
      if (status === 'completed') result.completed += 1;
      else {
        result.failed += 1;
        result.failures.push({ path, message: error?.message ?? 'failed' });
      }
    }
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
}
