import type { Outbound } from '@cairn/outbound';
import type { ModelsConfig, ProviderConfig } from './model-config.ts';
import type { Attribution } from './models.ts';
import { providerFetch } from './provider-fetch.ts';
import type { ProviderKey, ProviderKeySource } from './provider-key-source.ts';

export interface AccessOptions {
  config: ModelsConfig;
  providerKeys: ProviderKeySource;
  /** `trusted` reaches the addresses of the operator's list, `untrusted` those that a tenant named for its own key. */
  outbound: { trusted: Pick<Outbound, 'fetch'>; untrusted: Pick<Outbound, 'fetch'> };
}

/** How a provider is reached for one tenant. */
export interface Access {
  provider: ProviderConfig;
  apiKey: string;
  baseUrl: string;
  byok: boolean;
  fetch: typeof fetch;
}

/** True when a tenant's own key leads to an address that the operator did not list. */
export function hasUnlistedAddress(own: ProviderKey, provider: ProviderConfig): boolean {
  return own.baseUrl !== undefined && own.baseUrl !== provider.base_url;
}

/** Null where nobody's key may be used. */
export async function findAccess(
  options: AccessOptions,
  who: Pick<Attribution, 'tenantId' | 'livemode'>,
  providerName: string,
): Promise<Access | null> {
  const provider = options.config.providers.find(({ name }) => name === providerName)!;
  const { trusted, untrusted } = options.outbound;
  const own = await options.providerKeys(who.tenantId, provider.name);
  if (own !== null) {
    return {
      provider,
      apiKey: own.apiKey,
      baseUrl: own.baseUrl ?? provider.base_url,
      byok: true,
      fetch: providerFetch(hasUnlistedAddress(own, provider) ? untrusted : trusted),
    };
  }
  // What is not live costs the operator nothing.
  if (provider.api_key === undefined || !who.livemode) return null;
  return {
    provider,
    apiKey: provider.api_key,
    baseUrl: provider.base_url,
    byok: false,
    fetch: providerFetch(trusted),
  };
}
