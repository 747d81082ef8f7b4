import type * as operations from '@cairn/contracts';
import { digestOf, hasKeyForm } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import type { PublicResponse, PublicRequestContext } from '@cairn/service-kit';
import { revokeAppByToken } from './revoke-app-by-token.ts';
import { authenticateClient, hasSecret, presentedCredentials } from './client-authentication.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeToken } from '../invalidation/revoke-oauth.ts';
import { authenticationError, oauthError } from './oauth-error.ts';
import { findTokensByDigests } from '../credentials/oauth-store.ts';

/** RFC 7009: a client revokes a token of its own. An unknown token counts as revoked already. */
export async function revokeOAuthToken(
  deps: { invalidate: Invalidate; workerDatabase: Database; now: () => Date },
  { authorization, body }: PublicRequestContext<typeof operations.revokeOAuthToken>,
): Promise<PublicResponse<typeof operations.revokeOAuthToken>> {
  const { client_id: clientId } = body;
  if (clientId !== undefined && !hasSecret(clientId) && authorization === undefined && body.client_secret === undefined)
    return revokeAppByToken(deps, { clientId, token: body.token });
  const presented = presentedCredentials(authorization, body);
  if (!presented.ok) return authenticationError(presented.reason);
  const client = await authenticateClient(deps, presented.credentials);
  if (client === null) return oauthError('invalid_client', 'The client is unknown or no longer valid.');
  const { token } = body;
  if (token === undefined) return oauthError('invalid_request', 'The parameter token is missing.');
  if (!hasKeyForm(token)) return { body: {} };
  const transact = deps.workerDatabase.transaction;
  const [found] = await transact((tx) => findTokensByDigests(tx, [digestOf(token)]));
  if (found === undefined) return { body: {} };
  if (found.client.client_id !== client.client_id)
    return oauthError('invalid_grant', 'The token was issued to another client.');
  await revokeToken(deps, (work) => transact(work), found.token, client.livemode);
  return { body: {} };
}
