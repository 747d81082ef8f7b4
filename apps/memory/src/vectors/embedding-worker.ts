import { createHash } from 'node:crypto';
import { startLoop } from '@cairn/background';
import type { EncodedEvent } from '@cairn/contracts';
import { type Attribution, type EmbeddingPort, ModelFailure, type Models } from '@cairn/llm';
import { appendAllToOutbox, type Database } from '@cairn/postgres';
import { cutText } from '@cairn/language';
import type { Logger, Running } from '@cairn/service-kit';
import {
  type ChunkPlace,
  claimWaiting,
  convertVectors,
  dropOldVectors,
  storeVectors,
  knownVectors,
  markBackfilled,
  postponeChunks,
  queueMissing,
  type WaitingChunk,
  selectEmbeddingModel,
  disableEmbedding,
} from './embedding-store.ts';
import { recordUsage } from '../memories/record-usage.ts';

export interface EmbeddingWorkerDeps {
  /** Serving role: what belongs to a tenant is written under it. */
  database: Database;
  /** Worker role: claims over all tenants. */
  workerDatabase: Database;
  models: Models;
  /** Whose vectors are wanted; null when embeddings are not configured (any more). */
  model: { name: string; dimensions: number } | null;
  logger: Logger;
}

type WantedDeps = EmbeddingWorkerDeps & { model: { name: string; dimensions: number } };

const BATCH_MAX = 64;
const LEASE_MS = 120_000;
const POLL_MS = 500;
/** Without a model there is nothing to do once that is recorded. */
const IDLE_POLL_MS = 3_600_000;
const BACKOFF_BASE_MS = 2_000;
const BACKOFF_MAX_MS = 600_000;
/** A tenant without access to the model is asked about again after this. */
const NO_MODEL_DELAY_MS = 600_000;
const BACKFILL_PAGE_ROWS = 5_000;
const DROP_ROWS = 2_000;
/** Each is a walk through the HNSW index. */
const CONVERT_ROWS = 200;
const TEXT_MAX_CHARS = 8_000;

/**
 * Embeds what is queued, for as long as the service runs; any number of replicas may. After the model changed, chunks
 * that lack its vectors are queued page by page, and the old model's vectors go when that is done.
 */
export function startEmbeddingWorker(deps: EmbeddingWorkerDeps): Running {
  const { model } = deps;
  const wanted: WantedDeps | null = model === null ? null : { ...deps, model };
  let isBackfilled = false;
  const work = async (signal: AbortSignal) => {
    if (wanted === null) {
      await deps.workerDatabase.transaction(disableEmbedding);
      return false;
    }
    if (isBackfilled) {
      if ((await embedNextBatch(wanted, signal)) > 0) return true;
      return (await deps.workerDatabase.transaction((tx) => convertVectors(tx, CONVERT_ROWS))) > 0;
    }
    await backfill(wanted, signal);
    isBackfilled = true;
    return true;
  };
  return startLoop({
    work,
    pollMs: wanted === null ? IDLE_POLL_MS : POLL_MS,
    onError: (error) => deps.logger.warn({ err: error }, 'embedding: a pass failed; retrying'),
    backoffMs: POLL_MS,
    backoffMaxMs: POLL_MS,
  });
}

async function backfill({ workerDatabase, model }: WantedDeps, signal: AbortSignal): Promise<void> {
  if (!(await workerDatabase.transaction((tx) => selectEmbeddingModel(tx, model)))) return;
  let after: ChunkPlace | null = null;
  do {
    after = await workerDatabase.transaction((tx) => queueMissing(tx, model.name, after, BACKFILL_PAGE_ROWS));
  } while (after !== null && !signal.aborted);
  while (!signal.aborted && (await workerDatabase.transaction((tx) => dropOldVectors(tx, model.name, DROP_ROWS))));
  if (!signal.aborted) await workerDatabase.transaction((tx) => markBackfilled(tx, model.name));
}

/** Embeds one batch of one memory; returns how many chunks it took. */
async function embedNextBatch(deps: WantedDeps, signal: AbortSignal): Promise<number> {
  const chunks = await deps.workerDatabase.transaction((tx) => claimWaiting(tx, BATCH_MAX, LEASE_MS));
  const first = chunks[0];
  if (first === undefined) return 0;
  const attribution: Attribution = {
    tenantId: first.tenant_id,
    livemode: first.livemode,
    workspaceId: first.workspace_id,
    memoryId: first.memory_id,
  };
  const model = await deps.models.embedding(attribution);
  if (model === null) {
    await deps.workerDatabase.transaction((tx) => postponeChunks(tx, chunks, NO_MODEL_DELAY_MS));
    return chunks.length;
  }
  try {
    await embedChunks(deps, model, attribution, chunks, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ModelFailure)) throw error;
    deps.logger.warn(
      { reason: error.reason, memory_id: first.memory_id },
      'embedding: the model call failed; retrying',
    );
    const delayMs = Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** Math.min(first.attempts, 10));
    await deps.workerDatabase.transaction((tx) => postponeChunks(tx, chunks, delayMs));
  }
  return chunks.length;
}

async function embedChunks(
  deps: WantedDeps,
  model: EmbeddingPort,
  attribution: Attribution,
  chunks: readonly WaitingChunk[],
  signal: AbortSignal,
): Promise<void> {
  const scope = { tenantId: attribution.tenantId, memoryId: attribution.memoryId! };
  const texts = chunks.map(({ chunk_id, title_path, context_prefix, body }) => {
    const whole = [title_path, context_prefix, body].filter((part) => part !== '').join('\n');
    const text = cutText(whole, TEXT_MAX_CHARS);
    return { chunkId: chunk_id, text, textSha256: createHash('sha256').update(text).digest() };
  });
  const known = await deps.database.withTenant(scope.tenantId, (tx) =>
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
    await deps.database.withTenant(scope.tenantId, async (tx) => {
      const rows = texts.map((one) => ({ ...one, vector: known.get(one.textSha256.toString('hex'))! }));
      await storeVectors(tx, scope, model.name, rows);
      await appendAllToOutbox(tx, usage);
    });
  } catch (error) {
    // Batches that were embedded before the failure have cost something; a transaction that failed has kept none of it.
    await recordUsage(deps, scope.tenantId, usage);
    throw error;
  }
}
