import { CairnError } from '@cairn/errors';
import type { Logger, Running } from '@cairn/service-kit';
import type { DlpPolicy } from '@cairn/screening';
import { LRUCache } from 'lru-cache';
import type { Engines } from '../../memories/engines.ts';
import type { MemoryScope, TargetMemory } from '../../memories/memory-scope.ts';
import type { SettingsSource } from '../../memories/memory-settings.ts';
import { insertSearch, type NewSearch, readSettings } from './search-log-store.ts';

/** Keeps searches of the memories whose owners want that, after they were answered. */
export interface SearchLog extends Running {
  /** Returns at once. A search that cannot be stored, because too many wait or a server is away, is dropped. */
  note(target: TargetMemory, search: Omit<NewSearch, 'vault_id' | 'space_id'>): void;
  /** Resolves when a search that this process noted is stored or dropped. */
  settled(searchId: string): Promise<void>;
  /** Has the setting of the memory read before its next search. */
  forget(scope: MemoryScope): void;
  /** A text as the memory may store it. Throws `WorkerFailure` when that takes too long. */
  mask(scope: MemoryScope, text: string): Promise<string>;
}

interface SearchLogDeps {
  engines: Pick<Engines, 'read' | 'write'>;
  settings: Pick<SettingsSource, 'read'>;
  /** Screens in a worker process. */
  pool: { maskWords(tenantId: string, text: string, policy: DlpPolicy): Promise<string> };
  logger: Pick<Logger, 'warn'>;
}

const ENABLED_CACHED_MS = 10_000;
const ENABLED_CACHED_MAX = 50_000;
/** Searches that wait, of one tenant and in all: beyond them a search is answered and not stored. */
const TENANT_PENDING_MAX = 50;
const PENDING_MAX = 500;

export function createSearchLog({ engines, settings, pool, logger }: SearchLogDeps): SearchLog {
  const enabled = new LRUCache<string, boolean>({ max: ENABLED_CACHED_MAX, ttl: ENABLED_CACHED_MS });
  const pending = new Map<string, Promise<void>>();
  /** One at a time for each tenant, so that it takes no connections from its searches. */
  const lines = new Map<string, { last: Promise<void>; length: number }>();
  const keyOf = ({ tenantId, memoryId }: MemoryScope) => `${tenantId} ${memoryId}`;

  async function isEnabled(target: TargetMemory): Promise<boolean> {
    const known = enabled.get(keyOf(target));
    if (known !== undefined) return known;
    const read = await engines.read(target, ({ tx }) => readSettings(tx, target));
    enabled.set(keyOf(target), read.enabled);
    return read.enabled;
  }

  async function mask({ tenantId, memoryId }: MemoryScope, text: string): Promise<string> {
    const { dlp_policy: policy } = await settings.read({ tenantId, memoryId }, false);
    return pool.maskWords(tenantId, text, policy);
  }

  async function store(target: TargetMemory, search: Omit<NewSearch, 'vault_id' | 'space_id'>): Promise<void> {
    try {
      if (!(await isEnabled(target))) return;
      const { vaultId: vault_id, spaceId: space_id } = target;
      const masked = { ...search, question: await mask(target, search.question), vault_id, space_id };
      await engines.write(target, async ({ tx, closedVaults }) => {
        if (!closedVaults.has(vault_id)) await insertSearch(tx, target, masked);
      });
    } catch (error) {
      // The memory was closed meanwhile.
      if (error instanceof CairnError && error.code === 'not_found') return;
      logger.warn({ err: error }, 'search log: storing a search failed');
    }
  }

  function note(target: TargetMemory, search: Omit<NewSearch, 'vault_id' | 'space_id'>): void {
    if (enabled.get(keyOf(target)) === false || pending.size >= PENDING_MAX) return;
    const line = lines.get(target.tenantId) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= TENANT_PENDING_MAX) return;
    line.length += 1;
    const { last } = line;
    const done = (async () => {
      await last;
      await store(target, search);
      pending.delete(search.search_id);
      line.length -= 1;
      if (line.length === 0) lines.delete(target.tenantId);
    })();
    line.last = done;
    lines.set(target.tenantId, line);
    pending.set(search.search_id, done);
  }

  return {
    note,
    mask,
    settled: async (searchId) => pending.get(searchId),
    forget: (scope) => void enabled.delete(keyOf(scope)),
    async close() {
      await Promise.all(pending.values());
    },
  };
}
