import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { LRUCache } from 'lru-cache';
import type { Engines } from '../memories/engines.ts';
import type { Caller, MemoryResolver } from '../memories/resolve-memory.ts';
import type { SettingsSource, StorageLimits } from '../memories/memory-settings.ts';
import { storageUsageOf, type StorageAmount } from './storage-usage.ts';
import type { TargetMemory } from '../memories/memory-scope.ts';

/** Enforces the storage limits of a tenant's plan. */
export interface StorageQuota {
  /** Before the transaction: reads the plan's limits and what the tenant stores on other engines. */
  begin(context: Caller, memory: TargetMemory): Promise<StorageReservation>;
}

interface StorageReservation {
  /** At the transaction's start: near the limit, takes turns with concurrent writers of the tenant. */
  lock(tx: Tx, added: StorageAmount): Promise<void>;
  /** At its end: throws `plan_limit_reached` when more is stored than the plan allows. */
  assertWithinLimits(tx: Tx): Promise<void>;
}

/** With this much left the sums are not read again for a while; what this replica accepted since is counted. */
const FAR_DOCUMENTS = 2_000;
const FAR_BYTES = 1_073_741_824;
const FAR_CACHED_MS = 5_000;
const TENANTS_CACHED_MAX = 10_000;
const NOTE = 'Credits do not raise this limit; a larger plan does.';

export function createStorageQuota(deps: {
  engines: Engines;
  memories: MemoryResolver;
  settings: SettingsSource;
}): StorageQuota {
  /** What may still come before somebody has to look. */
  const far = new LRUCache<string, StorageAmount>({ max: TENANTS_CACHED_MAX, ttl: FAR_CACHED_MS });
  return {
    async begin(context, memory) {
      const { tenantId } = memory;
      const left = far.get(tenantId);
      if (left !== undefined && left.documents > FAR_DOCUMENTS && left.bytes > FAR_BYTES) return countDown(left);
      const limits = await deps.settings.limits(memory);
      const elsewhere = await storedOnOtherEngines(deps, context, memory);
      let isNear = true;
      let before: StorageAmount = { documents: 0, bytes: 0 };
      return {
        async lock(tx, added) {
          before = add(await storageUsageOf(tx, tenantId), elsewhere);
          const room = {
            documents: limits.documents - before.documents - added.documents,
            bytes: limits.storedBytes - before.bytes - added.bytes,
          };
          isNear = room.documents < FAR_DOCUMENTS || room.bytes < FAR_BYTES;
          if (!isNear) return void far.set(tenantId, room);
          // Those who might take the last place together take turns.
          await lockTenant(tx, tenantId);
          before = add(await storageUsageOf(tx, tenantId), elsewhere);
        },
        async assertWithinLimits(tx) {
          if (isNear) assertWithin(limits, before, add(await storageUsageOf(tx, tenantId), elsewhere));
        },
      };
    },
  };
}

function countDown(left: StorageAmount): StorageReservation {
  return {
    async lock(_tx, added) {
      left.documents -= added.documents;
      left.bytes -= added.bytes;
    },
    assertWithinLimits: async () => undefined,
  };
}

async function storedOnOtherEngines(
  deps: { engines: Engines; memories: MemoryResolver },
  context: Caller,
  memory: TargetMemory,
): Promise<StorageAmount> {
  const engines = (await deps.memories.listEngines(context)).filter((engineId) => engineId !== memory.engineId);
  let kept: StorageAmount = { documents: 0, bytes: 0 };
  for (const engineId of engines) {
    kept = add(
      kept,
      await deps.engines.readTenant(engineId, memory.tenantId, (tx) => storageUsageOf(tx, memory.tenantId)),
    );
  }
  return kept;
}

function add(a: StorageAmount, b: StorageAmount): StorageAmount {
  return { documents: a.documents + b.documents, bytes: a.bytes + b.bytes };
}

async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`storage\u0001${tenantId}`]);
}

/** What is too much already may shrink; only what makes it more is refused. */
function assertWithin(limits: StorageLimits, before: StorageAmount, kept: StorageAmount): void {
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
