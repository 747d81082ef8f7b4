import type { revokeOAuthToken } from '@cairn/contracts';
import { digestOf, hasKeyForm } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import type { OpenAnswer, OpenCall } from '@cairn/service-kit';
import { authenticateClient, claimOf } from './client-authentication.ts';
import { refusedClaim } from './issue-token.ts';
import type { Narrow } from './narrow/narrow.ts';
import { revokeToken } from './narrow/revoke-oauth.ts';
import { oauthRefusal } from './oauth-refusal.ts';
import { findTokensByDigests } from './oauth-store.ts';

/** RFC 7009: a client revokes a token of its own. A token that is not known is revoked already. */
export async function revokeOwnToken(
  parts: { narrow: Narrow; workerDatabase: Database; now: () => Date },
  { authorization, body }: OpenCall<typeof revokeOAuthToken>,
): Promise<OpenAnswer<typeof revokeOAuthToken>> {
  const claim = claimOf(authorization, body);
  if (!claim.ok) return refusedClaim(claim.reason);
  const client = await authenticateClient(parts, claim.credentials);
  if (client === null) return oauthRefusal('invalid_client', 'The client is not known, or not good.');
  const { token } = body;
  if (token === undefined) return oauthRefusal('invalid_request', 'The parameter token is missing.');
  if (!hasKeyForm(token)) return { body: {} };
  const transact = parts.workerDatabase.transaction;
  const [found] = await transact((tx) => findTokensByDigests(tx, [digestOf(token)]));
  if (found === undefined) return { body: {} };
  if (found.client.client_id !== client.client_id)
    return oauthRefusal('invalid_grant', 'The token was issued to another client.');
  await revokeToken(parts, (work) => transact(work), found.token, client.livemode);
  return { body: {} };
}
