import { CairnError, notFound } from '@cairn/errors';
import { refusalOf } from '@cairn/identity';
import { LRUCache } from 'lru-cache';
import type { Engines } from '../engines/engines.ts';
import type { Asking, MemoryLookup, TargetMemory } from '../memory-lookup.ts';
import { findThread } from './thread-store.ts';

export interface ThreadParts {
  engines: Engines;
  lookup: MemoryLookup;
}

const HOMES_MAX = 50_000;
/** A thread never moves, so what was found stays true; whether it is still there is looked up each time. */
const homes = new LRUCache<string, { memoryId: string; spaceId: string | null }>({ max: HOMES_MAX });

/**
 * The memory that a thread lies in, looked for on every engine of the tenant. Throws `not_found` for a thread that is
 * not there and `memory_not_permitted` for one that the caller's key does not reach.
 */
export async function findHome(parts: ThreadParts, call: Asking, threadId: string): Promise<TargetMemory> {
  const { identity } = call;
  const name = `${identity.tenantId} ${threadId}`;
  const home = homes.get(name) ?? (await searchEngines(parts, call, threadId));
  if (home === null) throw notFound('The thread');
  homes.set(name, home);
  const refusal = refusalOf(identity, { place: home });
  if (refusal !== null && 'outside' in refusal) throw elsewhere(refusal.outside);
  return parts.lookup.find(call, { memory_id: home.memoryId });
}

/** An engine that is away hides its own threads and no others: it matters only when no other has the thread. */
async function searchEngines(parts: ThreadParts, call: Asking, threadId: string) {
  const engineIds = await parts.lookup.enginesOf(call);
  const looks = await Promise.allSettled(
    engineIds.map((engineId) =>
      parts.engines.readTenant(engineId, call.identity.tenantId, (tx) => findThread(tx, threadId)),
    ),
  );
  const row = looks.map((look) => (look.status === 'fulfilled' ? look.value : null)).find((found) => found !== null);
  if (row !== undefined) return { memoryId: row.memory_id, spaceId: row.space_id };
  const failed = looks.find((look) => look.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return null;
}

function elsewhere(what: 'memory' | 'space'): CairnError {
  return new CairnError('memory_not_permitted', `The key reaches another ${what}.`);
}
