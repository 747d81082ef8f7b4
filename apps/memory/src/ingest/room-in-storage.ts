import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { LRUCache } from 'lru-cache';
import type { Engines } from '../engines/engines.ts';
import type { Asking, MemoryLookup, TargetMemory } from '../memory-lookup.ts';
import type { SettingsSource, StorageLimits } from './memory-settings.ts';
import type { Amount } from './room-in-queue.ts';
import { storedBy } from './stored-amount.ts';

/** Whether what comes fits into the plan of its tenant. */
export interface RoomInStorage {
  /** Before the transaction: what the plan allows and what the tenant keeps elsewhere. */
  ask(call: Asking, memory: TargetMemory): Promise<AskedRoom>;
}

export interface AskedRoom {
  /** At the transaction's begin: near the limit, waits for those who add at the same time. */
  hold(tx: Tx, coming: Amount): Promise<void>;
  /** At its end: throws `plan_limit_reached` when more is kept than the plan allows. */
  assertKept(tx: Tx): Promise<void>;
}

/** With so much room left nobody looks again for a while; what this replica took since is counted. */
const FAR_DOCUMENTS = 2_000;
const FAR_BYTES = 1_073_741_824;
const FAR_HOLDS_MS = 5_000;
const TENANTS_KNOWN_MAX = 10_000;
const NOTE = 'Credits do not raise this limit; a larger plan does.';

export function createRoomInStorage(parts: {
  engines: Engines;
  lookup: MemoryLookup;
  settings: SettingsSource;
}): RoomInStorage {
  /** What may still come before somebody has to look. */
  const far = new LRUCache<string, Amount>({ max: TENANTS_KNOWN_MAX, ttl: FAR_HOLDS_MS });
  return {
    async ask(call, memory) {
      const { tenantId } = memory;
      const left = far.get(tenantId);
      if (left !== undefined && left.documents > FAR_DOCUMENTS && left.bytes > FAR_BYTES) return countDown(left);
      const limits = await parts.settings.limits(memory);
      const elsewhere = await keptElsewhere(parts, call, memory);
      let isNear = true;
      let before: Amount = { documents: 0, bytes: 0 };
      return {
        async hold(tx, coming) {
          before = add(await storedBy(tx, tenantId), elsewhere);
          const room = {
            documents: limits.documents - before.documents - coming.documents,
            bytes: limits.storedBytes - before.bytes - coming.bytes,
          };
          isNear = room.documents < FAR_DOCUMENTS || room.bytes < FAR_BYTES;
          if (!isNear) return void far.set(tenantId, room);
          // Those who might take the last place together take turns.
          await lockTenant(tx, tenantId);
          before = add(await storedBy(tx, tenantId), elsewhere);
        },
        async assertKept(tx) {
          if (isNear) assertWithin(limits, before, add(await storedBy(tx, tenantId), elsewhere));
        },
      };
    },
  };
}

function countDown(left: Amount): AskedRoom {
  return {
    async hold(_tx, coming) {
      left.documents -= coming.documents;
      left.bytes -= coming.bytes;
    },
    assertKept: async () => undefined,
  };
}

async function keptElsewhere(
  parts: { engines: Engines; lookup: MemoryLookup },
  call: Asking,
  memory: TargetMemory,
): Promise<Amount> {
  const engines = (await parts.lookup.enginesOf(call)).filter((engineId) => engineId !== memory.engineId);
  let kept: Amount = { documents: 0, bytes: 0 };
  for (const engineId of engines) {
    kept = add(kept, await parts.engines.readTenant(engineId, memory.tenantId, (tx) => storedBy(tx, memory.tenantId)));
  }
  return kept;
}

function add(a: Amount, b: Amount): Amount {
  return { documents: a.documents + b.documents, bytes: a.bytes + b.bytes };
}

async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`storage\u0001${tenantId}`]);
}

/** What is too much already may shrink; only what makes it more is refused. */
function assertWithin(limits: StorageLimits, before: Amount, kept: Amount): void {
  if (kept.documents > limits.documents && kept.documents > before.documents)
    throw limitReached('documents', limits.documents, before.documents, limits);
  if (kept.bytes > limits.storedBytes && kept.bytes > before.bytes)
    throw limitReached('stored_bytes', limits.storedBytes, before.bytes, limits);
}

function limitReached(resource: string, limit: number, current: number, limits: StorageLimits): CairnError {
  const what = resource === 'documents' ? 'documents' : 'bytes of documents';
  return new CairnError('plan_limit_reached', `The plan ${limits.plan} allows ${limit} ${what}.`, {
    upgrade: {
      resource,
      limit,
      current,
      plan: limits.plan,
      suggested_plan: limits.suggestedPlan,
      upgrade_url: limits.upgradeUrl,
      note: NOTE,
    },
  });
}
