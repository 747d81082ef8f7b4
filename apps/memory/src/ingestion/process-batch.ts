import { CairnError } from '@cairn/errors';
import { isConnectionFailure } from '@cairn/postgres';
import { type DocumentRow, unfinishedDocuments } from '../documents/document-store.ts';
import { whileReadable } from '../memories/closed-scopes.ts';
import type { QueuedDocument } from './queue.ts';
import type { PrepareOutcome, DocumentToPrepare } from './preparing/prepared-document.ts';
import { assignSpaces } from './routing/assign-spaces.ts';
import { fetchUrl } from './fetch-url.ts';
import { fail, retryOrFail } from './retry.ts';
import { runIndexStep } from './index-step.ts';
import { runLinkStep } from './link-step.ts';
import type { CurrentSettings } from '../memories/memory-settings.ts';
import { decryptPayload, encryptPayload, type Payload } from './payload-encryption.ts';
import { createProgressReporter, type ProgressReporter } from './progress-reporter.ts';
import type { IngestionDeps } from './ingestion-deps.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { traceDocuments } from './observe-documents.ts';
import { isUnavailable } from '../memories/unavailable.ts';
import { AttemptFailure } from './attempt-failure.ts';
import type { SealedOriginal } from '../documents/original-store.ts';
import type { ReadyDocument, RoutedDocument } from './ready-document.ts';

/** A claimed document, its row and its decrypted payload. */
interface OpenedDocument {
  document: QueuedDocument;
  row: DocumentRow;
  payload: Payload;
}

/**
 * Takes claimed documents of one memory through parsing, screening, routing, indexing and linking. A step that fails
 * is tried again for each document by itself. Throws when the database is gone or the memory is unavailable.
 */
export async function processBatch(
  deps: IngestionDeps,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<void> {
  if (documents.length > 0) await traceDocuments(documents, (traced) => processTraced(deps, scope, traced));
}

async function processTraced(
  deps: IngestionDeps,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<void> {
  const indexed = documents.filter((document) => document.payload === null && document.content === null);
  const fresh = documents.filter((document) => !indexed.includes(document));
  const searchable = [...indexed, ...(await prepareAndIndex(deps, scope, fresh))];
  const linkable = (await publish(deps, scope, searchable)) ? searchable : [];
  await bisectFailures(deps, scope, linkable, (some) => runLinkStep(deps, scope, some));
}

/** Nothing is completed before it is found; while the search engine is unavailable the documents wait, uncounted. */
async function publish(
  deps: IngestionDeps,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<boolean> {
  if (documents.length === 0) return false;
  try {
    await deps.index.publish(scope);
    return true;
  } catch (error) {
    if (isConnectionFailure(error) || !isUnavailable(error)) throw error;
    const unavailable = new AttemptFailure('search_unavailable', { counted: false });
    for (const document of documents) await retryOrFail(deps, scope, document, unavailable);
    return false;
  }
}

/** Returns the documents that are indexed and wait to be linked. */
async function prepareAndIndex(
  deps: IngestionDeps,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
): Promise<QueuedDocument[]> {
  if (documents.length === 0) return [];
  const docIds = documents.map((document) => document.doc_id);
  // What was closed is erased with its queue, by whoever closed it.
  const rows = await whileReadable(deps.database, scope, (tx) => unfinishedDocuments(tx, scope, docIds));
  if (rows === null || rows.length === 0) return [];
  const routed = await prepareAndRoute(deps, scope, documents, rows);
  const toLink: QueuedDocument[] = [];
  await bisectFailures(deps, scope, routed, async (some) => {
    const done = new Set(await runIndexStep(deps, scope, some));
    if (deps.linker !== null)
      toLink.push(...some.flatMap(({ document }) => (done.has(document.doc_id) ? withoutPayload(document) : [])));
  });
  return toLink;
}

/** Parses, screens and routes; documents that cannot be read fail here, or are released for a retry. */
async function prepareAndRoute(
  deps: IngestionDeps,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
  rows: readonly DocumentRow[],
): Promise<RoutedDocument[]> {
  const progress = createProgressReporter(
    deps,
    scope,
    rows.map((row) => row.doc_id),
  );
  try {
    progress.reached('parsing');
    const opened = await openAll(deps, scope, documents, rows);
    const settings = await settingsOf(deps, scope, opened);
    if (settings === null) return [];
    const ready = await prepareDocuments(deps, scope, opened, settings, progress);
    progress.reached('routing');
    const routed = await assignSpaces(deps, scope, ready, settings);
    await progress.end('indexing');
    return routed;
  } finally {
    await progress.end();
  }
}

function withoutPayload(document: QueuedDocument): QueuedDocument {
  return { ...document, payload: null, content: null, attempts: 1 };
}

/** Runs the step on all at once; when it throws, on each half, down to the documents that cause it. */
async function bisectFailures<T extends QueuedDocument | { document: QueuedDocument }>(
  deps: IngestionDeps,
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
    if (items.length === 1) return retryOrFail(deps, scope, document, error);
  }
  const half = Math.ceil(items.length / 2);
  await bisectFailures(deps, scope, items.slice(0, half), work);
  await bisectFailures(deps, scope, items.slice(half), work);
}

async function openAll(
  deps: IngestionDeps,
  scope: MemoryScope,
  documents: readonly QueuedDocument[],
  rows: readonly DocumentRow[],
): Promise<OpenedDocument[]> {
  const byId = new Map(rows.map((row) => [row.doc_id, row]));
  const opened: OpenedDocument[] = [];
  for (const document of documents) {
    const row = byId.get(document.doc_id);
    if (row === undefined) continue;
    try {
      const payload = await withContent(deps, payloadOf(deps, scope, document));
      opened.push({ document, row, payload });
    } catch (error) {
      await retryOrFail(deps, scope, document, error);
    }
  }
  return opened;
}

function payloadOf(deps: IngestionDeps, scope: MemoryScope, document: QueuedDocument): Payload {
  if (document.payload !== null) return decryptPayload(deps.cipher, scope, document.doc_id, document.payload);
  const about = { title: null, metadata: {}, fileName: '', mediaType: '', url: null };
  return { content: document.content, about };
}

async function withContent(deps: IngestionDeps, payload: Payload): Promise<Payload> {
  const { url } = payload.about;
  if (payload.content !== null || url === null) return payload;
  const { bytes, mediaType, fileName } = await fetchUrl(deps.outbound, url);
  return { content: bytes, about: { ...payload.about, mediaType, fileName } };
}

/** Null when the memory is gone. While tenancy is unavailable the documents wait, and no attempt is counted. */
async function settingsOf(
  deps: IngestionDeps,
  scope: MemoryScope,
  opened: readonly OpenedDocument[],
): Promise<CurrentSettings | null> {
  if (opened.length === 0) return null;
  try {
    return await deps.settings.read(
      scope,
      opened.some(({ row }) => isToBeRouted(row)),
    );
  } catch (error) {
    if (error instanceof CairnError && error.code === 'not_found') return null;
    const unavailable = new AttemptFailure('settings_unavailable', { counted: false });
    for (const { document } of opened) await retryOrFail(deps, scope, document, unavailable);
    return null;
  }
}

/** A document without a space that was neither routed nor reviewed before. */
function isToBeRouted(row: DocumentRow): boolean {
  return row.intake_vault_id !== null && row.routing_confidence === null && row.reviewed_at === null;
}

async function prepareDocuments(
  deps: IngestionDeps,
  scope: MemoryScope,
  opened: readonly OpenedDocument[],
  settings: CurrentSettings,
  progress: ProgressReporter,
): Promise<ReadyDocument[]> {
  const prepared = await deps.pool.prepare(
    scope.tenantId,
    opened.map(({ row, payload }): DocumentToPrepare => ({
      content: payload.content ?? '',
      ...payload.about,
      policy: settings.dlp_policy,
      withTerms: isToBeRouted(row) && settings.spaces.length > 0,
    })),
  );
  progress.reached('screening');
  const ready: ReadyDocument[] = [];
  for (const [position, { document, row, payload }] of opened.entries()) {
    const result: PrepareOutcome = prepared[position]!;
    if (result.ok) {
      // What masked something would give away what was masked.
      const isKept = settings.keep_originals && result.masked.length === 0;
      const original = isKept ? sealed(deps, scope, document.doc_id, payload) : null;
      ready.push({ document, prepared: result, isToBeRouted: isToBeRouted(row), original });
    } else {
      const { code, message, title, url } = result;
      await fail(deps, scope, document, { code, message, title, sourceUri: url });
    }
  }
  return ready;
}

function sealed(
  { cipher }: Pick<IngestionDeps, 'cipher'>,
  scope: MemoryScope,
  docId: string,
  payload: Payload,
): SealedOriginal | null {
  if (payload.content === null) return null;
  return { payload: encryptPayload(cipher, scope, docId, payload), bytes: Buffer.byteLength(payload.content) };
}
