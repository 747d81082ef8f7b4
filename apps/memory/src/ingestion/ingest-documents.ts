import { createHash } from 'node:crypto';
import { newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { canonicalJson, idempotent } from '@cairn/postgres';
import type { ByteCipher } from '@cairn/encryption';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { announceDocuments } from '../documents/announce-documents.ts';
import {
  type DocumentRow,
  insertDocuments,
  lockDuplicate,
  type NewDocumentRow,
  replaceDocument,
} from '../documents/document-store.ts';
import type { Engines, OpenMemory } from '../memories/engines.ts';
import { assertOpen } from '../memories/closed-scopes.ts';
import { enqueue, type Lane, LANES, wakeWorkers } from './queue.ts';
import { encryptPayload, type Payload } from './payload-encryption.ts';
import type { QueueQuota } from './queue-quota.ts';
import type { StorageQuota } from './storage-quota.ts';
import type { MemoryResolver } from '../memories/resolve-memory.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';

export interface IngestDocumentsDeps {
  engines: Engines;
  memories: MemoryResolver;
  cipher: ByteCipher;
  queueQuota: QueueQuota;
  storageQuota: StorageQuota;
}

/** What is closed of it stays so, and nothing more is closed before the transaction ends. */
type WritableMemory = Pick<OpenMemory, 'tx' | 'closedVaults'>;

/** One document as it was submitted: a text, a file or a URL. */
interface Submitted {
  content?: string | undefined;
  file?: { name: string; mediaType: string; bytes: Buffer };
  url?: string | undefined;
  title?: string | undefined;
  external_id?: string | undefined;
  space_id?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  occurred_at?: string | undefined;
}

/** A text that is read among others in a batch; longer ones have a thread of their own. */
const TEXT_LANE_MAX_BYTES = 256 * 1_024;
const DUPLICATE_TRIES_MAX = 3;
/** Documents go first when a space is erased, some dozens at a time. */
const ERASING_RETRY_SECONDS = 5;

/** Accepts documents. They are durable when this returns, and searchable when their status is `completed`. */
export async function ingestDocuments(
  deps: IngestDocumentsDeps,
  context: RequestContext<typeof operations.ingestDocuments>,
): Promise<JsonResponse<typeof operations.ingestDocuments>> {
  const { identity } = context;
  const submitted = submittedOf(context);
  const places = await placesOf(deps.memories, context, submitted);
  const memory = places[0]!;
  const reservation = await deps.storageQuota.begin(context, memory);
  const response = await deps.engines.write(memory, ({ tx, closedVaults }) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'ingestDocuments',
        key: context.idempotencyKey,
        request: requestOf(context),
        memoryId: memory.memoryId,
      },
      async () => {
        for (const vaultId of new Set(places.map((place) => place.vaultId))) await assertOpen(tx, memory, vaultId);
        const bytes = submitted.reduce((sum, document) => sum + bytesOf(document), 0);
        await deps.queueQuota.reserve(tx, memory.tenantId, { documents: submitted.length, bytes });
        await reservation.lock(tx, { documents: submitted.length, bytes });
        const rows = await acceptAll({ tx, closedVaults }, deps.cipher, places, identity.livemode, submitted);
        await reservation.assertWithinLimits(tx);
        await wakeWorkers(tx);
        return {
          status: 202,
          body: { documents: rows.map((row) => ({ doc_id: row.doc_id, status: row.status, vault_id: row.vault_id })) },
        };
      },
    ),
  );
  return response as JsonResponse<typeof operations.ingestDocuments>;
}

function submittedOf(context: RequestContext<typeof operations.ingestDocuments>): Submitted[] {
  if (context.upload !== undefined) {
    const { memory_id: _memoryId, ...fields } = context.upload.fields;
    return [{ ...fields, file: context.upload.file }];
  }
  const { documents, memory_id: _memoryId, ...single } = context.body;
  if (documents === undefined) return [single];
  const seen = new Set<string>();
  documents.forEach((document, index) => {
    if (document.external_id === undefined) return;
    if (seen.has(document.external_id))
      throw validationFailed([{ path: `documents.${index}.external_id`, message: 'is duplicated' }]);
    seen.add(document.external_id);
  });
  return documents;
}

/** What distinguishes one request from another: of a file its digest. */
function requestOf(context: RequestContext<typeof operations.ingestDocuments>): unknown {
  if (context.upload === undefined) return context.body;
  const { file, fields } = context.upload;
  return { fields, file: { name: file.name, sha256: sha256(file.bytes).toString('hex') } };
}

/** Where each document goes. A batch lies in one memory, so that it is accepted as a whole or not at all. */
async function placesOf(
  memories: MemoryResolver,
  context: RequestContext<typeof operations.ingestDocuments>,
  submitted: readonly Submitted[],
): Promise<TargetMemory[]> {
  const { memory_id } = context.body ?? context.upload.fields;
  const first = await memories.resolve(context, { memory_id, space_id: submitted[0]!.space_id });
  const places: TargetMemory[] = [first];
  for (const [index, { space_id }] of submitted.entries()) {
    if (index === 0) continue;
    // A document without a space goes to the memory of the others.
    const place = await memories.resolve(context, {
      memory_id: space_id === undefined ? first.memoryId : memory_id,
      space_id,
    });
    if (place.memoryId !== first.memoryId) {
      const path = `documents.${index}.space_id`;
      throw validationFailed([{ path, message: 'lies in another memory than the first document' }]);
    }
    places.push(place);
  }
  return places;
}

/**
 * Accepts in one order whatever the caller's, so that two batches with the same documents cannot block each other: all
 * that are new at once, then one by one what stands in the place of another.
 */
async function acceptAll(
  open: WritableMemory,
  cipher: ByteCipher,
  places: readonly TargetMemory[],
  livemode: boolean,
  submitted: readonly Submitted[],
): Promise<DocumentRow[]> {
  const { tx } = open;
  const memory = places[0]!;
  const planned = submitted.map((document, index) => ({
    index,
    document,
    row: rowOf(places[index]!, livemode, document),
  }));
  planned.sort((a, b) => (orderOf(a.row) < orderOf(b.row) ? -1 : 1));
  const inserted = await insertDocuments(
    tx,
    memory,
    planned.map(({ row }) => row),
  );
  const accepted: DocumentRow[] = [];
  /** What is to be read, by document: of two of one call that name the same address, one. */
  const toRead = new Map<string, Submitted>();
  for (const { index, document, row } of planned) {
    const fresh = inserted.get(row.doc_id);
    const taken =
      fresh === undefined ? await replaceOrInsert(open, memory, row, document) : { row: fresh, isRead: true };
    accepted[index] = taken.row;
    if (taken.isRead) toRead.set(taken.row.doc_id, document);
  }
  const queued = [...toRead].map(([docId, document]) => ({
    docId,
    payload: encryptPayload(cipher, memory, docId, payloadOf(document)),
    bytes: bytesOf(document),
    lane: laneOf(document),
  }));
  await enqueue(tx, memory, queued);
  await announceDocuments(
    tx,
    memory,
    'documentsQueued',
    accepted.filter((row) => toRead.has(row.doc_id)),
  );
  return accepted;
}

function orderOf(row: NewDocumentRow): string {
  return `${row.vault_id}\u0000${row.external_id ?? ''}\u0000${row.content_sha256.toString('hex')}`;
}

function rowOf(place: TargetMemory, livemode: boolean, document: Submitted): NewDocumentRow {
  const { title = null, metadata = {}, occurred_at: occurredAt = null } = document;
  const content_sha256 = contentDigestOf(document);
  const version = { content: content_sha256.toString('hex'), title, metadata, occurredAt };
  return {
    doc_id: newId('document'),
    workspace_id: place.workspaceId,
    livemode,
    vault_id: place.vaultId,
    space_id: place.spaceId,
    external_id: document.external_id ?? null,
    media_type: document.content === undefined ? 'application/octet-stream' : 'text/plain',
    content_sha256,
    content_bytes: bytesOf(document),
    occurred_at: occurredAt === null ? null : new Date(occurredAt),
    intake_vault_id: place.spaceId === null ? place.rootVaultId : null,
    version_sha256: sha256(canonicalJson(version)),
  };
}

/** An address stands for its content, which is not known yet. */
function contentDigestOf({ content, file, url }: Submitted): Buffer {
  if (url !== undefined) return sha256(`url\u0000${url}`);
  return sha256(file?.bytes ?? content!);
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

function bytesOf({ content, file }: Submitted): number {
  return file?.bytes.length ?? Buffer.byteLength(content ?? '');
}

/**
 * The document in whose place this one stands: as it is when nothing changed, else as a new version to be read. Throws
 * `unavailable` while that document is about to be erased with the space that it was routed to.
 */
async function replaceOrInsert(
  { tx, closedVaults }: WritableMemory,
  memory: TargetMemory,
  row: NewDocumentRow,
  document: Submitted,
): Promise<{ row: DocumentRow; isRead: boolean }> {
  for (let attempt = 0; attempt < DUPLICATE_TRIES_MAX; attempt += 1) {
    const duplicate = await lockDuplicate(tx, memory, row);
    if (duplicate !== null) {
      if (closedVaults.has(duplicate.vault_id)) throw beingErased();
      // What an address holds may have changed, so it is fetched again; a text or a file is what it was.
      const stays = document.url === undefined && (row.external_id === null || sameVersion(duplicate, row));
      if (stays) return { row: duplicate, isRead: false };
      return { row: await replaceDocument(tx, memory, duplicate.doc_id, row), isRead: true };
    }
    // It was deleted between the two statements.
    const inserted = await insertDocuments(tx, memory, [row]);
    if (inserted.size > 0) return { row: inserted.get(row.doc_id)!, isRead: true };
  }
  throw new CairnError('unavailable', 'The document changes too quickly. Try again.', { retryAfterSeconds: 1 });
}

function beingErased(): CairnError {
  return new CairnError('unavailable', 'The document lies in a space that is being deleted. Try again in a moment.', {
    retryAfterSeconds: ERASING_RETRY_SECONDS,
  });
}

function sameVersion(duplicate: DocumentRow, row: NewDocumentRow): boolean {
  return duplicate.status !== 'failed' && duplicate.version_sha256?.equals(row.version_sha256) === true;
}

function payloadOf({ content, file, url, title, metadata }: Submitted): Payload {
  return {
    content: content ?? file?.bytes ?? null,
    about: {
      title: title ?? null,
      metadata: metadata ?? {},
      fileName: file?.name ?? '',
      mediaType: file?.mediaType ?? '',
      url: url ?? null,
    },
  };
}

function laneOf(document: Submitted): Lane {
  return document.content !== undefined && bytesOf(document) <= TEXT_LANE_MAX_BYTES ? LANES.text : LANES.file;
}
