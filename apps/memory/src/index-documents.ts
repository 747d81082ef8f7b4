import { createHash } from 'node:crypto';
import { encodeEvent, newId } from '@cairn/contracts';
import { appendToOutbox, type Database, type Tx } from '@cairn/postgres';
import { chunksOfDocuments, type ChunkRow, deleteChunks, insertChunks, moveChunks } from './chunk-store.ts';
import { chunkText } from './chunk-text.ts';
import { type DocumentRow, lockDocuments, markCompleted, type MemoryScope } from './document-store.ts';
import { whileOpen } from './erasure/closed-scopes.ts';
import { ruleReader } from './graph/chunk-readers.ts';
import { linkDocuments } from './graph/link-documents.ts';
import type { SearchIndex } from './index/search-index.ts';
import { dequeue, holdClaims, type QueuedDocument } from './ingest-queue.ts';
import { describeText } from './text-kind.ts';

export interface IndexParts {
  database: Database;
  index: SearchIndex;
  owner: string;
}

interface Difference {
  kept: ChunkRow[];
  added: ChunkRow[];
  removed: ChunkRow[];
  count: number;
}

/**
 * Chunks and indexes claimed documents of one memory and completes them, all in one transaction: whatever
 * is `completed` is searchable, and whatever a crash interrupts is as if it had not begun. Documents whose
 * claim was lost meanwhile, or that were closed, are passed over. Returns the ids that were completed.
 */
export async function indexDocuments(
  parts: IndexParts,
  scope: MemoryScope,
  claimed: readonly QueuedDocument[],
): Promise<string[]> {
  const contents = new Map(claimed.map((document) => [document.doc_id, document.content]));
  const completed = await whileOpen(parts.database, scope, async (tx, closedVaults) => {
    const found = await lockDocuments(tx, scope, [...contents.keys()]);
    const locked = found.filter((row) => !closedVaults.has(row.vault_id));
    const held = await holdClaims(
      tx,
      scope,
      parts.owner,
      locked.map((row) => row.doc_id),
    );
    const documents = locked.filter((row) => held.has(row.doc_id));
    const docIds = documents.map((row) => row.doc_id);
    const existing = Map.groupBy(await chunksOfDocuments(tx, scope, docIds), (chunk) => chunk.doc_id);
    const differences = documents.map((row) =>
      differenceOf(row, contents.get(row.doc_id)!, existing.get(row.doc_id) ?? []),
    );
    await applyDifferences(tx, parts.index, scope, documents, differences);
    for (const [position, row] of documents.entries()) await complete(tx, scope, row, differences[position]!.count);
    await dequeue(tx, scope, docIds);
    return docIds;
  });
  return completed ?? [];
}

/** Chunks whose text is unchanged stay what they are, with their ids; the rest are new or gone. */
function differenceOf(document: DocumentRow, content: string, before: readonly ChunkRow[]): Difference {
  const { heading, title } = describeText(content);
  // A title made up from the first line says nothing that the text does not.
  const given = document.title === title ? null : document.title;
  const left = Map.groupBy(before, identityOf);
  const difference: Difference = { kept: [], added: [], removed: [], count: 0 };
  for (const [ordinal, chunk] of chunkText(content, given ?? heading).entries()) {
    const row: ChunkRow = {
      chunk_id: newId('chunk'),
      doc_id: document.doc_id,
      vault_id: document.vault_id,
      ordinal,
      title_path: chunk.titlePath,
      context_prefix: '',
      body: chunk.body,
      body_sha256: createHash('sha256').update(chunk.body).digest(),
      location: chunk.location,
      occurred_at: document.occurred_at,
    };
    const same = left.get(identityOf(row))?.shift();
    if (same === undefined) difference.added.push(row);
    else difference.kept.push({ ...row, chunk_id: same.chunk_id });
    difference.count += 1;
  }
  difference.removed = [...left.values()].flat();
  return difference;
}

function identityOf(chunk: ChunkRow): string {
  return `${chunk.vault_id} ${chunk.occurred_at?.getTime() ?? ''} ${chunk.title_path}\u0000${chunk.context_prefix}\u0000${chunk.body_sha256.toString('hex')}`;
}

async function applyDifferences(
  tx: Tx,
  index: SearchIndex,
  scope: MemoryScope,
  documents: readonly DocumentRow[],
  differences: readonly Difference[],
): Promise<void> {
  const removed = differences.flatMap((difference) => difference.removed);
  await deleteChunks(tx, scope, removed);
  await moveChunks(
    tx,
    scope,
    differences.flatMap((difference) => difference.kept),
  );
  await insertChunks(
    tx,
    scope,
    differences.flatMap((difference) => difference.added),
  );
  await linkAll(tx, scope, documents, differences);
  await index.add(
    tx,
    scope,
    differences.flatMap((difference, position) => {
      const document = documents[position]!;
      return difference.added.map((chunk) => ({
        chunkId: chunk.chunk_id,
        docId: chunk.doc_id,
        vaultId: chunk.vault_id,
        titlePath: chunk.title_path,
        contextPrefix: chunk.context_prefix,
        body: chunk.body,
        occurredAtMs: document.occurred_at?.getTime() ?? null,
        createdAtMs: document.created_at.getTime(),
      }));
    }),
  );
  // Last, because it takes the memory's lock, which other writers wait for.
  const removedIds = removed.map((chunk) => chunk.chunk_id);
  if (removedIds.length > 0) await index.remove(tx, scope, removedIds);
}

/** Before the index, whose lock is everybody's last. Documents of one workspace and mode go together. */
async function linkAll(
  tx: Tx,
  scope: MemoryScope,
  documents: readonly DocumentRow[],
  differences: readonly Difference[],
): Promise<void> {
  const linked = documents.map((document, position) => {
    const { kept, added } = differences[position]!;
    return { document, chunks: [...kept, ...added] };
  });
  const first = documents[0];
  if (first === undefined) return;
  const memory = { ...scope, workspaceId: first.workspace_id, livemode: first.livemode };
  await linkDocuments(tx, memory, linked, ruleReader);
}

async function complete(tx: Tx, scope: MemoryScope, document: DocumentRow, chunks: number): Promise<void> {
  await markCompleted(tx, scope, { docId: document.doc_id, chunks });
  await appendToOutbox(
    tx,
    encodeEvent(
      'ingestCompleted',
      {
        tenantId: scope.tenantId,
        memoryId: scope.memoryId,
        workspaceId: document.workspace_id,
        livemode: document.livemode,
      },
      { docId: document.doc_id, vaultId: document.vault_id, title: document.title, chunks },
    ),
  );
}
