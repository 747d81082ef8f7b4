import { MemorySettingsService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import type { MemoryScope } from '../document-store.ts';
import { type DlpPolicy, policyOf } from '@cairn/screening';

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

export interface MemorySettings {
  dlpPolicy: DlpPolicy;
  spaces: SpaceSettings[];
  limits: StorageLimits;
}

/** How a memory's documents are to be treated, as tenancy says it, asked in the service's own name. */
export interface SettingsSource {
  /** As they are now: work that was accepted after a change is done by the change. Throws `not_found`, `unavailable`. */
  read(scope: MemoryScope, withSpaces: boolean): Promise<MemorySettings>;
  /** The plan's limits as of a moment ago; when tenancy is away, as they were last. */
  limits(scope: MemoryScope): Promise<StorageLimits>;
}

const LIMITS_HOLD_MS = 10_000;
const TENANTS_KNOWN_MAX = 10_000;

export function createSettingsSource(tenancy: RpcClient<typeof MemorySettingsService>): SettingsSource {
  const known = new LRUCache<string, StorageLimits>({
    max: TENANTS_KNOWN_MAX,
    ttl: LIMITS_HOLD_MS,
    allowStale: true,
    noDeleteOnStaleGet: true,
  });
  const read: SettingsSource['read'] = async (scope, withSpaces) => {
    const answer = await tenancy.getMemorySettings({ ...scope, withSpaces });
    const { limits } = answer;
    if (limits === undefined) throw new CairnError('internal', '', { internal: 'tenancy answered without limits' });
    const settings: MemorySettings = {
      dlpPolicy: policyOf(answer.dlpPolicy),
      spaces: answer.spaces.map(({ spaceId, vaultId, name, description }) => ({ spaceId, vaultId, name, description })),
      limits: {
        documents: Number(limits.documents),
        storedBytes: Number(limits.storedBytes),
        plan: limits.plan,
        suggestedPlan: limits.suggestedPlan === '' ? null : limits.suggestedPlan,
        upgradeUrl: limits.upgradeUrl === '' ? null : limits.upgradeUrl,
      },
    };
    known.set(scope.tenantId, settings.limits);
    return settings;
  };
  return {
    read,
    async limits(scope) {
      if (known.has(scope.tenantId)) return known.get(scope.tenantId)!;
      try {
        return (await read(scope, false)).limits;
      } catch (error) {
        const last = known.get(scope.tenantId);
        if (last === undefined) throw error;
        return last;
      }
    },
  };
}
