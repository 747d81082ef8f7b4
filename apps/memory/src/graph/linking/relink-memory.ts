import type { Database, Tx } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { chunksOfDocuments } from '../../documents/chunk-store.ts';
import type { DocumentWithChunks, LinkDocuments } from '../../documents/document-linker.ts';
import { type DocumentRow, documentsById, lockDocuments } from '../../documents/document-store.ts';
import { whileOpen } from '../../memories/closed-scopes.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';
import { isUnavailable } from '../../memories/unavailable.ts';
import { linkedDocumentsAfter } from '../store/chunk-contributions.ts';
import { setExtractorVersion } from '../store/graph-lock.ts';
import type { GraphLinker } from './graph-linker.ts';

const BATCH = 16;
const TRIES = 2;

interface RelinkDeps {
  database: Database;
  linker: GraphLinker;
  logger: Logger;
}

interface Slice {
  /** Where an earlier slice got to. */
  after: string;
  sliceMs: number;
  signal: AbortSignal;
  /** Everything up to this document has been read again. */
  reached(docId: string): Promise<void>;
}

/**
 * Links again whatever an older version of the extractor read, for about `sliceMs`; documents that read the same are left
 * as they are. `blocked`: the next one is locked by somebody else, and is tried again by the next slice.
 */
export async function relinkSlice(
  deps: RelinkDeps,
  memory: AttributedMemory,
  { after: from, sliceMs, signal, reached }: Slice,
): Promise<'finished' | 'unfinished' | 'blocked'> {
  const deadline = performance.now() + sliceMs;
  let after = from;
  do {
    const docIds = await deps.database.withTenant(memory.tenantId, (tx) =>
      linkedDocumentsAfter(tx, memory, after, BATCH),
    );
    if (docIds.length === 0) {
      await deps.database.withTenant(memory.tenantId, (tx) => setExtractorVersion(tx, memory));
      return 'finished';
    }
    const locked = await relink(deps, memory, docIds);
    const firstLocked = docIds.findIndex((docId) => locked.has(docId));
    const last = firstLocked < 0 ? docIds.at(-1) : docIds[firstLocked - 1];
    if (last !== undefined) await reached((after = last));
    if (firstLocked >= 0) return 'blocked';
  } while (!signal.aborted && performance.now() < deadline);
  return 'unfinished';
}

/** Returns the documents that somebody else has locked. */
async function relink(deps: RelinkDeps, memory: AttributedMemory, docIds: readonly string[]): Promise<Set<string>> {
  const link = await readAgain(deps, memory, docIds);
  if (link === null) {
    if (docIds.length === 1) return new Set();
    const half = Math.ceil(docIds.length / 2);
    const first = await relink(deps, memory, docIds.slice(0, half));
    return new Set([...first, ...(await relink(deps, memory, docIds.slice(half)))]);
  }
  const locked = await whileOpen(deps.database, memory, async (tx, closedVaults) => {
    const found = await lockDocuments(tx, memory, docIds);
    const open = found.filter((row) => !closedVaults.has(row.vault_id));
    await link(tx, memory, await withChunks(tx, memory, open));
    const held = new Set(found.map((row) => row.doc_id));
    return (await documentsById(tx, memory, docIds)).map((row) => row.doc_id).filter((docId) => !held.has(docId));
  });
  return new Set(locked ?? []);
}

/** Null when the documents could not be read. One by itself then keeps what the older version read of it. */
async function readAgain(
  { database, linker, logger }: RelinkDeps,
  memory: AttributedMemory,
  docIds: readonly string[],
): Promise<LinkDocuments | null> {
  const documents = await database.withTenant(memory.tenantId, async (tx) =>
    withChunks(tx, memory, await documentsById(tx, memory, docIds)),
  );
  for (let tries = docIds.length === 1 ? TRIES : 1; tries > 0; tries -= 1)
    try {
      return await linker.prefetchAgain(database, memory, documents);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (docIds.length === 1 && tries === 1)
        logger.warn(
          { err: error, doc_ids: docIds },
          'linking: reading documents again failed; their graph stays as it was',
        );
    }
  return null;
}

async function withChunks(
  tx: Tx,
  memory: AttributedMemory,
  rows: readonly DocumentRow[],
): Promise<DocumentWithChunks[]> {
  const ids = rows.map((row) => row.doc_id);
  const chunks = Map.groupBy(await chunksOfDocuments(tx, memory, ids), (chunk) => chunk.doc_id);
  return rows.map((document) => ({ document, chunks: chunks.get(document.doc_id) ?? [] }));
}
