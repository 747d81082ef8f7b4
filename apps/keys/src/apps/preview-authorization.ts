import { APP_SCOPES, type TenancyService } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext, RpcClient } from '@cairn/service-kit';
import { assertMayDelegate } from '../credentials/calling-key.ts';
import { findClientFor, type FindClientDeps } from './find-client.ts';
import { isLoopback, issuerOf } from './oauth-addresses.ts';
import { requestedSpace } from './requested-space.ts';

export interface AuthorizationDeps extends FindClientDeps {
  tenancy: Pick<RpcClient<typeof TenancyService>, 'getSpace'>;
  baseUrl: string;
}

/** What a person sees before an app is connected. */
export async function previewAuthorization(
  deps: AuthorizationDeps,
  context: RequestContext<typeof operations.previewAuthorization>,
): Promise<JsonResponse<typeof operations.previewAuthorization>> {
  const { identity, query } = context;
  assertMayDelegate(identity);
  const client = await findClientFor(deps, query);
  const space = await requestedSpace(deps, context, query.resource);
  const redirect = new URL(query.redirect_uri);
  const asked = query.scope?.split(' ').filter((scope) => scope !== '') ?? [];
  return {
    body: {
      client: {
        client_id: client.clientId,
        name: client.name,
        redirect_host: redirect.host,
        on_this_device: isLoopback(redirect),
      },
      space: { space_id: space.spaceId, name: space.name, memory_id: space.memoryId },
      scopes: APP_SCOPES.filter(
        (scope) =>
          identity.scopes.includes(scope) && (asked.length === 0 || asked.includes(scope) || scope === 'spaces:read'),
      ),
      denied_url: redirectAddress(deps.baseUrl, query, { error: 'access_denied' }),
    },
  };
}

/** The client's address with the parameters, the issuer (RFC 9207) and its state. */
export function redirectAddress(
  baseUrl: string,
  { redirect_uri: redirectUri, state }: { redirect_uri: string; state?: string | undefined },
  parameters: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  const added = { ...parameters, iss: issuerOf(baseUrl), ...(state === undefined ? {} : { state }) };
  for (const [name, value] of Object.entries(added)) url.searchParams.set(name, value);
  return url.href;
}
