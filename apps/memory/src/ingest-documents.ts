import { createHash } from 'node:crypto';
import { type ingestDocuments, newId } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { canonicalJson, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { type DocumentRow, insertDocuments, lockTwin, type NewDocumentRow, replaceDocument } from './document-store.ts';
import type { Engines } from './engines/engines.ts';
import { assertOpen } from './erasure/closed-scopes.ts';
import { enqueue, type Lane, LANES, wakeWorkers } from './ingest-queue.ts';
import { type Payload, type PayloadSeal, placeOf } from './ingest/payload.ts';
import type { RoomInQueue } from './ingest/room-in-queue.ts';
import type { RoomInStorage } from './ingest/room-in-storage.ts';
import type { MemoryLookup, TargetMemory } from './memory-lookup.ts';

export interface IngestParts {
  engines: Engines;
  lookup: MemoryLookup;
  seal: PayloadSeal;
  roomInQueue: RoomInQueue;
  roomInStorage: RoomInStorage;
}

/** One document as it was handed in: a text, a file or an address. */
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
const TWIN_TRIES_MAX = 3;

/** Takes documents in. They are durable when this answers, and searchable when their status is `completed`. */
export async function acceptDocuments(
  parts: IngestParts,
  call: Call<typeof ingestDocuments>,
): Promise<JsonAnswer<typeof ingestDocuments>> {
  const { identity } = call;
  const submitted = submittedOf(call);
  const places = await placesOf(parts.lookup, call, submitted);
  const memory = places[0]!;
  const room = await parts.roomInStorage.ask(call, memory);
  const answer = await parts.engines.write(memory, ({ tx }) =>
    idempotent(
      tx,
      {
        caller: identity,
        operation: 'ingestDocuments',
        key: call.idempotencyKey,
        request: requestOf(call),
        memoryId: memory.memoryId,
      },
      async () => {
        for (const vaultId of new Set(places.map((place) => place.vaultId))) await assertOpen(tx, memory, vaultId);
        const bytes = submitted.reduce((sum, document) => sum + bytesOf(document), 0);
        await parts.roomInQueue.take(tx, memory.tenantId, { documents: submitted.length, bytes });
        await room.hold(tx, { documents: submitted.length, bytes });
        const rows = await acceptAll(tx, parts.seal, places, identity.livemode, submitted);
        await room.assertKept(tx);
        await wakeWorkers(tx);
        return {
          status: 202,
          body: { documents: rows.map((row) => ({ doc_id: row.doc_id, status: row.status, vault_id: row.vault_id })) },
        };
      },
    ),
  );
  return answer as JsonAnswer<typeof ingestDocuments>;
}

function submittedOf(call: Call<typeof ingestDocuments>): Submitted[] {
  if (call.upload !== undefined) {
    const { memory_id: _memoryId, ...fields } = call.upload.fields;
    return [{ ...fields, file: call.upload.file }];
  }
  const { documents, memory_id: _memoryId, ...single } = call.body;
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

/** What tells one request from another: of a file its digest. */
function requestOf(call: Call<typeof ingestDocuments>): unknown {
  if (call.upload === undefined) return call.body;
  const { file, fields } = call.upload;
  return { fields, file: { name: file.name, sha256: sha256(file.bytes).toString('hex') } };
}

/** Where each document goes. A batch lies in one memory, so that it is taken in whole or not at all. */
async function placesOf(
  lookup: MemoryLookup,
  call: Call<typeof ingestDocuments>,
  submitted: readonly Submitted[],
): Promise<TargetMemory[]> {
  const { memory_id } = call.body ?? call.upload.fields;
  const first = await lookup.find(call, { memory_id, space_id: submitted[0]!.space_id });
  const places: TargetMemory[] = [first];
  for (const [index, { space_id }] of submitted.entries()) {
    if (index === 0) continue;
    // A document without a space goes to the memory of the others.
    const place = await lookup.find(call, { memory_id: space_id === undefined ? first.memoryId : memory_id, space_id });
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
  tx: Tx,
  seal: PayloadSeal,
  places: readonly TargetMemory[],
  livemode: boolean,
  submitted: readonly Submitted[],
): Promise<DocumentRow[]> {
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
    const taken = fresh === undefined ? await takePlace(tx, memory, row, document) : { row: fresh, isRead: true };
    accepted[index] = taken.row;
    if (taken.isRead) toRead.set(taken.row.doc_id, document);
  }
  const queued = [...toRead].map(([docId, document]) => ({
    docId,
    payload: seal.seal(placeOf(memory, docId), payloadOf(document)),
    bytes: bytesOf(document),
    lane: laneOf(document),
  }));
  await enqueue(tx, memory, queued);
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

/** The document in whose place this one stands: as it is when nothing changed, else as a new version to be read. */
async function takePlace(
  tx: Tx,
  memory: TargetMemory,
  row: NewDocumentRow,
  document: Submitted,
): Promise<{ row: DocumentRow; isRead: boolean }> {
  for (let attempt = 0; attempt < TWIN_TRIES_MAX; attempt += 1) {
    const twin = await lockTwin(tx, memory, row);
    if (twin !== null) {
      // What an address holds may have changed, so it is fetched again; a text or a file is what it was.
      const stays = document.url === undefined && (row.external_id === null || sameVersion(twin, row));
      if (stays) return { row: twin, isRead: false };
      return { row: await replaceDocument(tx, memory, twin.doc_id, row), isRead: true };
    }
    // It was deleted between the two statements.
    const inserted = await insertDocuments(tx, memory, [row]);
    if (inserted.size > 0) return { row: inserted.get(row.doc_id)!, isRead: true };
  }
  throw new CairnError('unavailable', 'The document changes too quickly. Try again.', { retryAfterSeconds: 1 });
}

function sameVersion(twin: DocumentRow, row: NewDocumentRow): boolean {
  return twin.status !== 'failed' && twin.version_sha256?.equals(row.version_sha256) === true;
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
