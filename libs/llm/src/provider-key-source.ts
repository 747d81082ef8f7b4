import { ProviderKeyService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';

/** A tenant's own key of a provider. */
export interface ProviderKey {
  apiKey: string;
  /** Where the tenant's provider is; undefined is the provider's usual address. */
  baseUrl: string | undefined;
}

/** Null when the tenant has stored none. */
export type ProviderKeySource = (tenantId: string, provider: string) => Promise<ProviderKey | null>;

const KNOWN_MAX = 5_000;
/** A key that was replaced or deleted is used no longer than this. */
const KNOWN_MS = 10_000;

/** Asks tenancy, and remembers for a moment whether and which. */
export function createProviderKeySource(client: RpcClient<typeof ProviderKeyService>): ProviderKeySource {
  const known = new LRUCache<string, { key: ProviderKey | null }>({ max: KNOWN_MAX, ttl: KNOWN_MS });
  return async (tenantId, provider) => {
    const name = `${tenantId} ${provider}`;
    const cached = known.get(name);
    if (cached !== undefined) return cached.key;
    const key = await client.revealProviderKey({ tenantId, provider }).then(
      ({ apiKey, baseUrl }) => ({ apiKey, baseUrl: baseUrl === '' ? undefined : baseUrl }),
      (error: unknown) => {
        if (error instanceof CairnError && error.code === 'not_found') return null;
        throw error;
      },
    );
    known.set(name, { key });
    return key;
  };
}
