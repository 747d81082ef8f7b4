import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EncodedEvent } from '@cairn/contracts';
import { type Attribution, type EmbeddingPort, ModelFailure, type Models } from '@cairn/llm';
import { appendToOutbox, type Database } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import {
  type ChunkPlace,
  claimWaiting,
  dropOldVectors,
  keepVectors,
  knownVectors,
  markBackfilled,
  postponeChunks,
  queueMissing,
  type WaitingChunk,
  wantModel,
  wantNone,
} from './embedding-store.ts';

export interface EmbeddingWorkerParts {
  /** Serving role: what belongs to a tenant is written under it. */
  database: Database;
  /** Worker role: claims over all tenants. */
  workerDatabase: Database;
  models: Models;
  /** Whose vectors are wanted; null when embeddings are not configured (any more). */
  model: { name: string; dimensions: number } | null;
  logger: Logger;
}

type WantedParts = EmbeddingWorkerParts & { model: { name: string; dimensions: number } };

const BATCH_MAX = 64;
const LEASE_MS = 120_000;
const POLL_MS = 500;
const BACKOFF_BASE_MS = 2_000;
const BACKOFF_MAX_MS = 600_000;
/** A tenant without access to the model is asked about again after this. */
const NO_MODEL_DELAY_MS = 600_000;
const BACKFILL_PAGE_ROWS = 5_000;
const DROP_ROWS = 2_000;
const TEXT_MAX_CHARS = 8_000;

/**
 * Embeds what is queued, for as long as the service runs; any number of replicas may. After the model changed, chunks
 * that lack its vectors are queued page by page, and the old model's vectors go when that is done.
 */
export function startEmbeddingWorker(parts: EmbeddingWorkerParts): Running {
  const stop = new AbortController();
  const run = async () => {
    const { model } = parts;
    if (model === null)
      return untilStopped(stop.signal, parts.logger, () => parts.workerDatabase.transaction(wantNone));
    const wanted: WantedParts = { ...parts, model };
    await untilStopped(stop.signal, parts.logger, () => backfill(wanted, stop.signal));
    while (!stop.signal.aborted) {
      const worked = await workOnce(wanted, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) parts.logger.warn({ err: error }, 'embedding waits');
        return 0;
      });
      if (worked === 0) await pause(stop.signal);
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
}

async function untilStopped(signal: AbortSignal, logger: Logger, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'embedding waits');
      await pause(signal);
    }
  }
}

async function backfill({ workerDatabase, model }: WantedParts, signal: AbortSignal): Promise<void> {
  if (!(await workerDatabase.transaction((tx) => wantModel(tx, model)))) return;
  let after: ChunkPlace | null = null;
  do {
    after = await workerDatabase.transaction((tx) => queueMissing(tx, model.name, after, BACKFILL_PAGE_ROWS));
  } while (after !== null && !signal.aborted);
  while (!signal.aborted && (await workerDatabase.transaction((tx) => dropOldVectors(tx, model.name, DROP_ROWS))));
  if (!signal.aborted) await workerDatabase.transaction((tx) => markBackfilled(tx, model.name));
}

/** Embeds one batch of one memory; gives how many chunks it took. */
async function workOnce(parts: WantedParts, signal: AbortSignal): Promise<number> {
  const chunks = await parts.workerDatabase.transaction((tx) => claimWaiting(tx, BATCH_MAX, LEASE_MS));
  const first = chunks[0];
  if (first === undefined) return 0;
  const attribution: Attribution = {
    tenantId: first.tenant_id,
    livemode: first.livemode,
    workspaceId: first.workspace_id,
    memoryId: first.memory_id,
  };
  const model = await parts.models.embedding(attribution);
  if (model === null) {
    await parts.workerDatabase.transaction((tx) => postponeChunks(tx, chunks, NO_MODEL_DELAY_MS));
    return chunks.length;
  }
  try {
    await embedChunks(parts, model, attribution, chunks, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelFailure)) throw error;
    parts.logger.warn({ reason: error.reason, memory_id: first.memory_id }, 'embedding failed and is tried again');
    const delayMs = Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** Math.min(first.attempts, 10));
    await parts.workerDatabase.transaction((tx) => postponeChunks(tx, chunks, delayMs));
  }
  return chunks.length;
}

async function embedChunks(
  parts: WantedParts,
  model: EmbeddingPort,
  attribution: Attribution,
  chunks: readonly WaitingChunk[],
  signal: AbortSignal,
): Promise<void> {
  const scope = { tenantId: attribution.tenantId, memoryId: attribution.memoryId! };
  const texts = chunks.map(({ chunk_id, title_path, context_prefix, body }) => {
    const text = [title_path, context_prefix, body]
      .filter((part) => part !== '')
      .join('\n')
      .slice(0, TEXT_MAX_CHARS);
    return { chunkId: chunk_id, text, textSha256: createHash('sha256').update(text).digest() };
  });
  const known = await parts.database.withTenant(scope.tenantId, (tx) =>
    knownVectors(
      tx,
      model.name,
      texts.map(({ textSha256 }) => textSha256),
    ),
  );
  const missing = new Map(
    texts
      .map(({ textSha256, text }) => [textSha256.toString('hex'), text] as const)
      .filter(([hash]) => !known.has(hash)),
  );
  const usage: EncodedEvent[] = [];
  try {
    const vectors = await model.embed([...missing.values()], {
      attribution,
      purpose: 'embed',
      signal,
      record: (event) => void usage.push(event),
    });
    for (const [index, hash] of [...missing.keys()].entries()) known.set(hash, vectors[index]!);
    await parts.database.withTenant(scope.tenantId, async (tx) => {
      const rows = texts.map((one) => ({ ...one, vector: known.get(one.textSha256.toString('hex'))! }));
      await keepVectors(tx, scope, model.name, rows);
      for (const event of usage.splice(0)) await appendToOutbox(tx, event);
    });
  } catch (error) {
    // Batches that were embedded before the failure have cost something.
    const spent = usage.splice(0);
    if (spent.length > 0)
      await parts.database.withTenant(scope.tenantId, async (tx) => {
        for (const event of spent) await appendToOutbox(tx, event);
      });
    throw error;
  }
}
