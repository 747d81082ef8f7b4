import type * as operations from '@cairn/contracts';
import type { PublicResponse } from '@cairn/service-kit';
import type { IdentityProvider } from './identity-provider.ts';

/** How people sign in here. */
export async function readSignIn(deps: {
  provider: Pick<IdentityProvider, 'name'> | null;
}): Promise<PublicResponse<typeof operations.readSignIn>> {
  return { body: { provider: deps.provider === null ? null : { name: deps.provider.name } } };
}
