import { ProviderKeyService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { RpcClient } from '@cairn/service-kit';

/** A tenant's own key of a provider. */
export interface ProviderKey {
  apiKey: string;
  /** Where the tenant's provider is; undefined is the provider's usual address. */
  baseUrl: string | undefined;
}

/** Null when the tenant has stored none; throws `unavailable` when nobody can say. */
export type ProviderKeySource = (tenantId: string, provider: string) => Promise<ProviderKey | null>;

/**
 * Asks tenancy each time. A remembered key would still be used after it was deleted, and the operator's after one was
 * stored; a model call takes a hundred times as long as the question.
 */
export function createProviderKeySource(client: RpcClient<typeof ProviderKeyService>): ProviderKeySource {
  return (tenantId, provider) =>
    client.revealProviderKey({ tenantId, provider }).then(
      ({ apiKey, baseUrl }) => ({ apiKey, baseUrl: baseUrl === '' ? undefined : baseUrl }),
      (error: unknown) => {
        if (error instanceof CairnError && error.code === 'not_found') return null;
        throw error;
      },
    );
}
