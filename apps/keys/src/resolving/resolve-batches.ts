import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { findByDigests, type FoundCredential, resolutionOf, type Resolution } from './resolve-credential.ts';

/** Resolves credentials by their digests, many in one transaction. */
export interface ResolveBatches {
  /** `seenGood`: a gateway has seen it valid before. Throws `unavailable` when too many lookups wait. */
  resolve(sha256: Uint8Array, seenGood: boolean): Promise<Resolution>;
}

interface ResolveDeps {
  /** Connected as the worker role: no tenant is known yet. */
  workerDatabase: Database;
  now: () => Date;
}

const BATCH_MAX = 500;
/** In one pool; a gateway gives up on a lookup after two seconds. */
const WAITING_MAX = 5_000;
/** Concurrent transactions of one pool; the other database connections are left to draws and leases. */
const SEEN_GOOD_BATCHES_MAX = 2;
const OTHER_BATCHES_MAX = 1;

interface Lookup {
  sha256: Uint8Array;
  resolve: (resolution: Resolution) => void;
  reject: (error: unknown) => void;
}

/**
 * Two pools: credentials that a gateway has seen valid before, and all others. A flood of unknown ones fills its own
 * pool and occupies one connection, whatever its size. A batch begins after each of its lookups arrived, so that every
 * lookup reads what was committed when it arrived, or later.
 */
export function createResolveBatches(deps: ResolveDeps): ResolveBatches {
  const seenGoodPool = createPool(deps, SEEN_GOOD_BATCHES_MAX);
  const otherPool = createPool(deps, OTHER_BATCHES_MAX);
  return { resolve: (sha256, seenGood) => (seenGood ? seenGoodPool : otherPool)(sha256) };
}

function createPool(deps: ResolveDeps, batchesMax: number): (sha256: Uint8Array) => Promise<Resolution> {
  const waiting: Lookup[] = [];
  let running = 0;

  async function runBatches(): Promise<void> {
    running += 1;
    // Lookups that arrive in the same tick of the event loop share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    for (let batch = waiting.splice(0, BATCH_MAX); batch.length > 0; batch = waiting.splice(0, BATCH_MAX))
      await resolveBatch(deps, batch);
    running -= 1;
  }

  return (sha256) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= WAITING_MAX) {
        reject(new CairnError('unavailable', 'Too many concurrent lookups.', { retryAfterSeconds: 1 }));
        return;
      }
      waiting.push({ sha256, resolve, reject });
      if (running < batchesMax) void runBatches();
    });
}

/** Never rejects: a failure rejects the lookups of the batch. */
async function resolveBatch({ workerDatabase, now }: ResolveDeps, batch: readonly Lookup[]): Promise<void> {
  let found: ReadonlyMap<string, FoundCredential>;
  try {
    const digests = batch.map(({ sha256 }) => sha256);
    found = await workerDatabase.transaction((tx) => findByDigests(tx, digests));
  } catch (error) {
    for (const { reject } of batch) reject(error);
    return;
  }
  for (const { sha256, resolve, reject } of batch) {
    try {
      resolve(resolutionOf(found, sha256, now()));
    } catch (error) {
      // A malformed row fails its own lookup, not the batch.
      reject(error);
    }
  }
}
