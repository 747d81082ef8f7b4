import type * as operations from '@cairn/contracts';
import type { KeyRing } from '@cairn/encryption';
import { validationFailed } from '@cairn/errors';
import { checkUrl, OutboundError } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { putProviderKeyRow } from '../stores/provider-key-store.ts';
import { providerKeyContext } from './encryption-context.ts';
import { presentProviderKey } from './present-provider-key.ts';

/** Stores a tenant's own key of a provider, encrypted; it replaces the one before. */
export async function putProviderKey(
  deps: { database: Database; keyRing: KeyRing; allowPrivateNetwork: boolean },
  context: RequestContext<typeof operations.putProviderKey>,
): Promise<JsonResponse<typeof operations.putProviderKey>> {
  const { tenantId } = context.identity;
  const { provider } = context.params;
  const { base_url: baseUrl } = context.body;
  if (baseUrl !== undefined) assertAllowedAddress(deps, baseUrl);
  const sealed = await deps.keyRing.encrypt(providerKeyContext(tenantId, provider), context.body.api_key);
  const row = await deps.database.withTenant(tenantId, (tx) =>
    putProviderKeyRow(tx, {
      tenant_id: tenantId,
      provider,
      sealed,
      base_url: baseUrl ?? null,
    }),
  );
  return { body: presentProviderKey(row) };
}

/** Model calls would be refused later; the address is refused now, where somebody reads why. */
function assertAllowedAddress(policy: { allowPrivateNetwork: boolean }, baseUrl: string): void {
  try {
    checkUrl(policy, baseUrl);
  } catch (error) {
    if (error instanceof OutboundError) throw validationFailed([{ path: 'base_url', message: error.message }]);
    throw error;
  }
}
