import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { LRUCache } from 'lru-cache';
import { countWaiting } from '../ingest-queue.ts';

/** What of one tenant may wait at once; more is refused with `queue_full`. */
export interface QueueBounds {
  documentsMax: number;
  bytesMax: number;
}

export interface Amount {
  documents: number;
  bytes: number;
}

export interface RoomInQueue {
  /** Counts what comes; throws `queue_full` when it would be too much. */
  take(tx: Tx, tenantId: string, coming: Amount): Promise<void>;
}

const RETRY_WHEN_FULL_SECONDS = 5;
/** A count of thousands of rows is not made for every call; what this replica took since is added to it. */
const COUNT_HOLDS_MS = 1_000;
const TENANTS_KNOWN_MAX = 10_000;

export function createRoomInQueue(bounds: QueueBounds): RoomInQueue {
  const counted = new LRUCache<string, Amount>({ max: TENANTS_KNOWN_MAX, ttl: COUNT_HOLDS_MS });
  return {
    async take(tx, tenantId, coming) {
      let waiting = counted.get(tenantId);
      if (waiting === undefined || isFull(bounds, waiting, coming)) {
        waiting = await countWaiting(tx, tenantId);
        counted.set(tenantId, waiting);
      }
      if (isFull(bounds, waiting, coming)) {
        throw new CairnError('queue_full', 'Too many documents wait to be indexed. Try again in a moment.', {
          retryAfterSeconds: RETRY_WHEN_FULL_SECONDS,
        });
      }
      waiting.documents += coming.documents;
      waiting.bytes += coming.bytes;
    },
  };
}

function isFull(bounds: QueueBounds, waiting: Amount, coming: Amount): boolean {
  return (
    waiting.documents + coming.documents > bounds.documentsMax ||
    (waiting.bytes + coming.bytes > bounds.bytesMax && waiting.documents > 0)
  );
}
