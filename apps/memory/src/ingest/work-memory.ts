import { CairnError } from '@cairn/errors';
import { type DocumentRow, documentsAtWork, type MemoryScope } from '../document-store.ts';
import { isUnavailable } from '../engines/away.ts';
import { whileReadable } from '../erasure/closed-scopes.ts';
import type { QueuedDocument } from '../ingest-queue.ts';
import type { Prepared, ToPrepare } from '../prepare/prepared.ts';
import { type PlacedDocument, placeDocuments } from '../route/place-documents.ts';
import { fetchSource } from './fetch-source.ts';
import { fail, giveBack } from './give-back.ts';
import { indexPrepared, type ReadyDocument } from './index-prepared.ts';
import { linkIndexed } from './link-indexed.ts';
import type { MemorySettings } from './memory-settings.ts';
import { type Payload, placeOf } from './payload.ts';
import { createStepMarks, type StepMarks } from './step-marks.ts';
import { AttemptFailure, type WorkerParts } from './worker-parts.ts';

/** A claimed document, its row, and what was handed in. */
interface Opened {
  document: QueuedDocument;
  row: DocumentRow;
  payload: Payload;
}

/**
 * Takes claimed documents of one memory through parsing, screening, routing, indexing and linking. A step that fails
 * is tried again for each document by itself. Throws when the database is gone: the leases run out then.
 */
export async function workMemory(
  parts: WorkerParts,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const indexed = documents.filter((document) => document.payload === null && document.content === null);
  const fresh = documents.filter((document) => !indexed.includes(document));
  const linkable = [...indexed, ...(await readAndIndex(parts, scope, fresh))];
  await eachAlone(parts, scope, linkable, (some) => linkIndexed(parts, scope, some));
}

/** Gives those that are indexed and wait to be linked. */
async function readAndIndex(
  parts: WorkerParts,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<QueuedDocument[]> {
  if (documents.length === 0) return [];
  const docIds = documents.map((document) => document.doc_id);
  // What was closed is erased with its queue, by whoever closed it.
  const rows = await whileReadable(parts.database, scope, (tx) => documentsAtWork(tx, scope, docIds));
  if (rows === null || rows.length === 0) return [];
  const placed = await readAndPlace(parts, scope, documents, rows);
  const left: QueuedDocument[] = [];
  await eachAlone(parts, scope, placed, async (some) => {
    const done = new Set(await indexPrepared(parts, scope, some));
    if (parts.linker !== null)
      left.push(...some.flatMap(({ document }) => (done.has(document.doc_id) ? asIndexed(document) : [])));
  });
  return left;
}

/** Reads, screens and routes; documents that cannot be read are ended, or given back, here. */
async function readAndPlace(
  parts: WorkerParts,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
  rows: readonly DocumentRow[],
): Promise<PlacedDocument[]> {
  const marks = createStepMarks(
    parts,
    scope,
    rows.map((row) => row.doc_id),
  );
  try {
    marks.reached('parsing');
    const opened = await openAll(parts, scope, documents, rows);
    const settings = await settingsOf(parts, scope, opened);
    if (settings === null) return [];
    const ready = await prepareAll(parts, scope, opened, settings, marks);
    marks.reached('routing');
    const placed = await placeDocuments(parts, scope, ready, settings);
    await marks.end('indexing');
    return placed;
  } finally {
    await marks.end();
  }
}

function asIndexed(document: QueuedDocument): QueuedDocument {
  return { ...document, payload: null, content: null, attempts: 1 };
}

/** All at once; when that fails, each half by itself, down to those that spoil it for the others. */
async function eachAlone<T extends QueuedDocument | { document: QueuedDocument }>(
  parts: WorkerParts,
  scope: MemoryScope,
  items: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  try {
    return await work(items);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const [first] = items;
    const document = 'document' in first! ? first.document : (first as QueuedDocument);
    if (items.length === 1) return giveBack(parts, scope, document, error);
  }
  const half = Math.ceil(items.length / 2);
  await eachAlone(parts, scope, items.slice(0, half), work);
  await eachAlone(parts, scope, items.slice(half), work);
}

async function openAll(
  parts: WorkerParts,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
  rows: readonly DocumentRow[],
): Promise<Opened[]> {
  const byId = new Map(rows.map((row) => [row.doc_id, row]));
  const opened: Opened[] = [];
  for (const document of documents) {
    const row = byId.get(document.doc_id);
    if (row === undefined) continue;
    try {
      const payload = await withContent(parts, payloadOf(parts, scope, document));
      opened.push({ document, row, payload });
    } catch (error) {
      await giveBack(parts, scope, document, error);
    }
  }
  return opened;
}

function payloadOf(parts: WorkerParts, scope: MemoryScope, document: QueuedDocument): Payload {
  if (document.payload !== null) return parts.seal.open(placeOf(scope, document.doc_id), document.payload);
  const about = { title: null, metadata: {}, fileName: '', mediaType: '', url: null };
  return { content: document.content, about };
}

async function withContent(parts: WorkerParts, payload: Payload): Promise<Payload> {
  const { url } = payload.about;
  if (payload.content !== null || url === null) return payload;
  const { bytes, mediaType, fileName } = await fetchSource(parts.outbound, url);
  return { content: bytes, about: { ...payload.about, mediaType, fileName } };
}

/** Null when the memory is gone. While tenancy cannot be asked the documents wait, and no attempt is counted. */
async function settingsOf(
  parts: WorkerParts,
  scope: MemoryScope,
  opened: readonly Opened[],
): Promise<MemorySettings | null> {
  if (opened.length === 0) return null;
  try {
    return await parts.settings.read(
      scope,
      opened.some(({ row }) => isToBeRouted(row)),
    );
  } catch (error) {
    if (error instanceof CairnError && error.code === 'not_found') return null;
    const away = new AttemptFailure('settings_unavailable', { counted: false });
    for (const { document } of opened) await giveBack(parts, scope, document, away);
    return null;
  }
}

/** A document without a space that was neither routed nor reviewed before. */
function isToBeRouted(row: DocumentRow): boolean {
  return row.intake_vault_id !== null && row.routing_confidence === null && row.reviewed_at === null;
}

async function prepareAll(
  parts: WorkerParts,
  scope: MemoryScope,
  opened: readonly Opened[],
  settings: MemorySettings,
  marks: StepMarks,
): Promise<ReadyDocument[]> {
  const prepared = await parts.pool.prepare(
    scope.tenantId,
    opened.map(({ row, payload }): ToPrepare => ({
      content: payload.content ?? '',
      ...payload.about,
      policy: settings.dlpPolicy,
      withTerms: isToBeRouted(row) && settings.spaces.length > 0,
    })),
  );
  marks.reached('screening');
  const ready: ReadyDocument[] = [];
  for (const [position, { document, row }] of opened.entries()) {
    const result: Prepared = prepared[position]!;
    if (result.ok) ready.push({ document, prepared: result, isToBeRouted: isToBeRouted(row) });
    else {
      const { code, message, title, url } = result;
      await fail(parts, scope, document, { code, message, title, sourceUri: url });
    }
  }
  return ready;
}

export type { PlacedDocument };
