import { digestOf } from '@cairn/identity';
import type { PublicResponse } from '@cairn/service-kit';
import type * as operations from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import { findApp, findAppToken } from '../credentials/app-store.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { revokeApp } from '../invalidation/revoke-app.ts';
import { oauthError } from './oauth-error.ts';

/** RFC 7009 for a client without a secret: either of its tokens ends the app. An unknown one counts as revoked already. */
export async function revokeAppByToken(
  deps: { invalidate: Invalidate; workerDatabase: Database; now: () => Date },
  { clientId, token }: { clientId: string; token: string | undefined },
): Promise<PublicResponse<typeof operations.revokeOAuthToken>> {
  if (token === undefined) return oauthError('invalid_request', 'The parameter token is missing.');
  const { transaction } = deps.workerDatabase;
  const app = await transaction(async (tx) => {
    const found = await findAppToken(tx, digestOf(token));
    return found === null ? null : findApp(tx, found.app_id);
  });
  if (app === null) return { body: {} };
  if (app.client_id !== clientId) return oauthError('invalid_grant', 'The token was issued to another client.');
  await revokeApp(deps, (work) => transaction(work), app.app_id);
  return { body: {} };
}
