import type { Tx } from '@cairn/postgres';
import type { DocumentLinker, DocumentWithChunks, LinkDocuments, Prefetch } from '../../documents/document-linker.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';
import { type ModelReadingDeps, readWithModel } from '../model-reading/read-with-model.ts';
import { dropReadings, moveReadings, readingsOf } from '../model-reading/reading-store.ts';
import { contributionsOf } from '../store/chunk-contributions.ts';
import { type DocumentToLink, linkDocuments, unlinkDocuments, windowsToRead } from './link-documents.ts';
import { readAhead } from './read-ahead.ts';
import { type ReadWindows, windowsOf } from './windows.ts';

export interface GraphLinker extends DocumentLinker {
  prefetch: NonNullable<DocumentLinker['prefetch']>;
  /** For documents that were linked before: without asking a model. */
  prefetchAgain: Prefetch;
  /** Assigns to chunks that have a new id what a model said of them under the one before. */
  moveReadings: typeof moveReadings;
}

/**
 * The graph as ingestion's last step. Linking the same documents again changes nothing. What is to be read is read
 * before the transaction, in worker processes. With `model` a model reads the chunks, too; null is the reader alone,
 * besides what was read while there was a model.
 */
export function createGraphLinker(readWindows: ReadWindows, model: ModelReadingDeps | null): GraphLinker {
  const prefetchAgain: Prefetch = async (database, memory, documents) => {
    const wanted = await database.withTenant(memory.tenantId, async (tx) =>
      windowsToRead(await inWindows(tx, memory, documents), await contributionsOf(tx, memory, idsOf(documents))),
    );
    return linkWith(await readAhead(readWindows, memory.tenantId, wanted));
  };

  return {
    async prefetch(...to) {
      if (model !== null) await readWithModel(model, ...to);
      return prefetchAgain(...to);
    },
    prefetchAgain,
    moveReadings,
    unlinkDocuments,
    linkDocuments: linkWith(readWindows),
  };
}

function linkWith(read: ReadWindows): LinkDocuments {
  return async (tx, memory, documents) => {
    const chunks = documents.flatMap((each) => each.chunks);
    await dropReadings(
      tx,
      memory,
      idsOf(documents),
      chunks.map((chunk) => chunk.chunk_id),
    );
    await linkDocuments(tx, memory, await inWindows(tx, memory, documents), read);
  };
}

function idsOf(documents: readonly DocumentWithChunks[]): string[] {
  return documents.map(({ document }) => document.doc_id);
}

/** Documents in windows, with what a model said of their chunks. */
async function inWindows(
  tx: Tx,
  memory: AttributedMemory,
  documents: readonly DocumentWithChunks[],
): Promise<DocumentToLink[]> {
  const readings = await readingsOf(tx, memory, idsOf(documents));
  const said = new Map(readings.map((reading) => [reading.chunk_id, reading.statements]));
  return documents.map(({ document, chunks }) => ({
    document,
    windows: windowsOf(chunks, (chunkId) => said.get(chunkId) ?? []),
  }));
}
