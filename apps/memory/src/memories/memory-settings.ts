import { type MemorySettings, MemorySettingsService, readMemorySettings } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import { DEFAULT_ENGINE_ID, type MemoryScope } from './memory-scope.ts';

export interface SpaceSettings {
  spaceId: string;
  vaultId: string;
  name: string;
  description: string;
}

/** What the plan of a tenant allows it to keep. */
export interface StorageLimits {
  documents: number;
  storedBytes: number;
  plan: string;
  suggestedPlan: string | null;
  upgradeUrl: string | null;
}

export interface CurrentSettings extends MemorySettings {
  spaces: SpaceSettings[];
  limits: StorageLimits;
}

/** How a memory's documents are to be treated, as tenancy says it, asked in the service's own name. */
export interface SettingsSource {
  /** As they are now: work that was accepted after a change is done by the change. Throws `not_found`, `unavailable`. */
  read(scope: MemoryScope, withSpaces: boolean): Promise<CurrentSettings>;
  /** The plan's limits as of a moment ago; while tenancy is unavailable, as they were last. */
  limits(scope: MemoryScope): Promise<StorageLimits>;
  /** The engine that holds the memory now. Throws as `read` does. */
  locate(scope: MemoryScope): Promise<string>;
}

const LIMITS_CACHED_MS = 10_000;
const TENANTS_CACHED_MAX = 10_000;

export function createSettingsSource(tenancy: RpcClient<typeof MemorySettingsService>): SettingsSource {
  const cached = new LRUCache<string, StorageLimits>({
    max: TENANTS_CACHED_MAX,
    ttl: LIMITS_CACHED_MS,
    allowStale: true,
    noDeleteOnStaleGet: true,
  });
  const read: SettingsSource['read'] = async (scope, withSpaces) => {
    const response = await tenancy.getMemorySettings({ ...scope, withSpaces });
    const { limits } = response;
    if (limits === undefined) throw new CairnError('internal', '', { internal: 'tenancy answered without limits' });
    // Before `settings`, tenancy sent two of them as fields.
    const { dlpPolicy: dlp_policy, keepOriginals: keep_originals } = response;
    const settings: CurrentSettings = {
      ...readMemorySettings(response.settings ?? { dlp_policy, keep_originals }),
      spaces: response.spaces.map(({ spaceId, vaultId, name, description }) => ({
        spaceId,
        vaultId,
        name,
        description,
      })),
      limits: {
        documents: Number(limits.documents),
        storedBytes: Number(limits.storedBytes),
        plan: limits.plan,
        suggestedPlan: limits.suggestedPlan === '' ? null : limits.suggestedPlan,
        upgradeUrl: limits.upgradeUrl === '' ? null : limits.upgradeUrl,
      },
    };
    cached.set(scope.tenantId, settings.limits);
    return settings;
  };
  return {
    read,
    async locate(scope) {
      const { engineId } = await tenancy.getMemorySettings({ ...scope, withSpaces: false });
      return engineId === '' ? DEFAULT_ENGINE_ID : engineId;
    },
    async limits(scope) {
      if (cached.has(scope.tenantId)) return cached.get(scope.tenantId)!;
      try {
        return (await read(scope, false)).limits;
      } catch (error) {
        const last = cached.get(scope.tenantId);
        if (last === undefined) throw error;
        return last;
      }
    },
  };
}
