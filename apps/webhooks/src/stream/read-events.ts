import type { StreamEvent } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';

/** Bounds what one stream holds in memory. */
const EVENTS_PER_READ = 100;

/** Which events somebody follows. */
export interface EventSubscription {
  tenantId: string;
  livemode: boolean;
  types: readonly StreamEvent[];
  /** Null: those of every memory. */
  memoryId: string | null;
}

interface StoredEvent {
  position: number;
  event: StreamEvent;
  body: string;
}

interface ReadEvents {
  events: StoredEvent[];
  /** Everything up to here has been looked at. */
  through: number;
}

export interface Positions {
  last: number;
  expiredThrough: number;
}

/** How far the events of the tenant are. */
export async function readPositions(database: Database, tenantId: string): Promise<Positions> {
  return database.withTenant(tenantId, positionsOf);
}

async function positionsOf(tx: Tx): Promise<Positions> {
  const rows = await tx.query<{ last: number; expiredThrough: number }>(
    'SELECT last_position AS last, expired_through AS "expiredThrough" FROM event_positions',
  );
  return rows[0] ?? { last: 0, expiredThrough: 0 };
}

/** The next events after the position, in order; those of one snapshot, so that none that is missing comes later. */
export async function readEvents(database: Database, followed: EventSubscription, after: number): Promise<ReadEvents> {
  const read = async (tx: Tx): Promise<ReadEvents> => {
    const { last } = await positionsOf(tx);
    const events = await tx.query<StoredEvent>({
      name: 'tenant_events_after',
      text: `SELECT position, event, body FROM tenant_events
              WHERE position > $1 AND event = ANY($2) AND livemode = $3 AND ($4::text IS NULL OR memory_id = $4)
              ORDER BY position LIMIT $5`,
      values: [after, followed.types, followed.livemode, followed.memoryId, EVENTS_PER_READ],
    });
    const isFull = events.length === EVENTS_PER_READ;
    return { events, through: isFull ? events.at(-1)!.position : Math.max(after, last) };
  };
  return database.withTenant(followed.tenantId, read, { mode: 'snapshot' });
}
