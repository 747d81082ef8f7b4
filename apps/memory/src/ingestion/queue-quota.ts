import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { LRUCache } from 'lru-cache';
import { countWaiting } from './queue.ts';
import type { StorageAmount } from './storage-usage.ts';

/** What of one tenant may wait at once; more is refused with `queue_full`. */
interface QueueBounds {
  documentsMax: number;
  bytesMax: number;
}

export interface QueueQuota {
  /** Counts the documents against the quota; throws `queue_full` when it would be exceeded. */
  reserve(tx: Tx, tenantId: string, added: StorageAmount): Promise<void>;
}

const RETRY_WHEN_FULL_SECONDS = 5;
/** A count of thousands of rows is not made for every call; what this replica accepted since is added to it. */
const COUNT_CACHED_MS = 1_000;
const TENANTS_CACHED_MAX = 10_000;

export function createQueueQuota(bounds: QueueBounds): QueueQuota {
  const counted = new LRUCache<string, StorageAmount>({ max: TENANTS_CACHED_MAX, ttl: COUNT_CACHED_MS });
  return {
    async reserve(tx, tenantId, added) {
      let waiting = counted.get(tenantId);
      if (waiting === undefined || isFull(bounds, waiting, added)) {
        waiting = await countWaiting(tx, tenantId);
        counted.set(tenantId, waiting);
      }
      if (isFull(bounds, waiting, added)) {
        throw new CairnError('queue_full', 'Too many documents wait to be indexed. Try again in a moment.', {
          retryAfterSeconds: RETRY_WHEN_FULL_SECONDS,
        });
      }
      waiting.documents += added.documents;
      waiting.bytes += added.bytes;
    },
  };
}

function isFull(bounds: QueueBounds, waiting: StorageAmount, added: StorageAmount): boolean {
  return (
    waiting.documents + added.documents > bounds.documentsMax ||
    (waiting.bytes + added.bytes > bounds.bytesMax && waiting.documents > 0)
  );
}
