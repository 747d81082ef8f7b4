import { createHash } from 'node:crypto';
import { type ingestDocuments, newId } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { canonicalJson, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { type DocumentRow, insertDocument, lockTwin, type NewDocumentRow, replaceDocument } from './document-store.ts';
import type { Engines } from './engines/engines.ts';
import { assertOpen } from './erasure/closed-scopes.ts';
import { countWaiting, enqueue, wakeWorkers } from './ingest-queue.ts';
import type { MemoryLookup, TargetMemory } from './memory-lookup.ts';
import { describeText } from './text-kind.ts';

export interface IngestParts {
  engines: Engines;
  lookup: MemoryLookup;
  queueMax: number;
}

interface Submitted {
  content: string;
  title?: string | undefined;
  external_id?: string | undefined;
  space_id?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  occurred_at?: string | undefined;
}

const RETRY_WHEN_FULL_SECONDS = 5;
const TWIN_TRIES_MAX = 3;

/** Takes documents in. They are durable when this answers, and searchable when their status is `completed`. */
export async function acceptDocuments(
  parts: IngestParts,
  call: Call<typeof ingestDocuments>,
): Promise<JsonAnswer<typeof ingestDocuments>> {
  const { identity, body } = call;
  if (body === undefined) throw new CairnError('unsupported_media_type', 'The body must be application/json.');
  const submitted = submittedOf(body);
  const places = await placesOf(parts.lookup, call, submitted);
  const memory = places[0]!;
  const answer = await parts.engines.write(memory, ({ tx }) =>
    idempotent(
      tx,
      {
        tenantId: identity.tenantId,
        operation: 'ingestDocuments',
        key: call.idempotencyKey,
        request: body,
        memoryId: memory.memoryId,
      },
      async () => {
        for (const vaultId of new Set(places.map((place) => place.vaultId))) await assertOpen(tx, memory, vaultId);
        await assertRoomInQueue(tx, parts, memory, submitted.length);
        const rows = await acceptAll(tx, places, identity.livemode, submitted);
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

function submittedOf(body: NonNullable<Call<typeof ingestDocuments>['body']>): Submitted[] {
  if (body.documents === undefined) return [{ ...body, content: body.content! }];
  const seen = new Set<string>();
  body.documents.forEach((document, index) => {
    if (document.external_id === undefined) return;
    if (seen.has(document.external_id))
      throw validationFailed([{ path: `documents.${index}.external_id`, message: 'is there twice' }]);
    seen.add(document.external_id);
  });
  return body.documents.map((document) => ({ ...document, content: document.content! }));
}

/** Where each document goes. A batch lies in one memory, so that it is taken in whole or not at all. */
async function placesOf(
  lookup: MemoryLookup,
  call: Call<typeof ingestDocuments>,
  submitted: readonly Submitted[],
): Promise<TargetMemory[]> {
  const memory_id = (call.body ?? call.upload.fields).memory_id;
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

async function assertRoomInQueue(tx: Tx, parts: IngestParts, memory: TargetMemory, coming: number): Promise<void> {
  if ((await countWaiting(tx, memory.tenantId)) + coming > parts.queueMax) {
    throw new CairnError('queue_full', 'Too many documents wait to be indexed. Try again in a moment.', {
      retryAfterSeconds: RETRY_WHEN_FULL_SECONDS,
    });
  }
}

/** Accepts in one order whatever the caller's, so that two batches with the same documents cannot block each other. */
async function acceptAll(
  tx: Tx,
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
  const accepted: DocumentRow[] = [];
  for (const { index, document, row } of planned) accepted[index] = await acceptOne(tx, memory, row, document.content);
  return accepted;
}

function orderOf(row: NewDocumentRow): string {
  return `${row.vault_id}\u0000${row.external_id ?? ''}\u0000${row.content_sha256.toString('hex')}`;
}

function rowOf(place: TargetMemory, livemode: boolean, document: Submitted): NewDocumentRow {
  const { title, mediaType } = describeText(document.content);
  return {
    doc_id: newId('document'),
    workspace_id: place.workspaceId,
    livemode,
    vault_id: place.vaultId,
    space_id: place.spaceId,
    external_id: document.external_id ?? null,
    title: document.title ?? title,
    media_type: mediaType,
    metadata: document.metadata ?? {},
    content_sha256: createHash('sha256').update(document.content).digest(),
    content_bytes: Buffer.byteLength(document.content),
    occurred_at: document.occurred_at === undefined ? null : new Date(document.occurred_at),
  };
}

async function acceptOne(tx: Tx, memory: TargetMemory, row: NewDocumentRow, content: string): Promise<DocumentRow> {
  for (let attempt = 0; attempt < TWIN_TRIES_MAX; attempt += 1) {
    const inserted = await insertDocument(tx, memory, row);
    if (inserted !== null) {
      await enqueue(tx, memory, inserted.doc_id, content);
      return inserted;
    }
    const twin = await lockTwin(tx, memory, row);
    if (twin === null) continue; // It was deleted between the two statements.
    if (row.external_id === null || sameVersion(twin, row)) return twin;
    const replaced = await replaceDocument(tx, memory, twin.doc_id, row);
    await enqueue(tx, memory, replaced.doc_id, content);
    return replaced;
  }
  throw new CairnError('unavailable', 'The document changes too quickly. Try again.', { retryAfterSeconds: 1 });
}

function sameVersion(twin: DocumentRow, row: NewDocumentRow): boolean {
  return (
    twin.status !== 'failed' &&
    twin.content_sha256.equals(row.content_sha256) &&
    twin.title === row.title &&
    twin.occurred_at?.getTime() === row.occurred_at?.getTime() &&
    canonicalJson(twin.metadata) === canonicalJson(row.metadata)
  );
}
