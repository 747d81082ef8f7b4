import { newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { PublicRequestContext, PublicResponse } from '@cairn/service-kit';
import { countAppClients, insertAppClient } from '../credentials/app-client-store.ts';
import { oauthError } from './oauth-error.ts';
import { readableName } from '../apps/find-client.ts';
import { mayBeRedirect } from '../apps/oauth-addresses.ts';

const UNCONNECTED_LIFETIME_MS = 24 * 3_600_000;
/** Over the whole installation; an address has the gateway's bound besides. */
const UNCONNECTED_MAX = 10_000;
const RETRY_AFTER_SECONDS = 3_600;

/** Registers a public client for a day, and for longer once somebody connects it. */
export async function registerAppClient(
  { workerDatabase, now }: { workerDatabase: Database; now: () => Date },
  { body }: PublicRequestContext<typeof operations.registerAppClient>,
): Promise<PublicResponse<typeof operations.registerAppClient>> {
  if (!body.redirect_uris.every(mayBeRedirect))
    return oauthError('invalid_redirect_uri', 'Each address must be https, or http on the loopback interface.');
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + UNCONNECTED_LIFETIME_MS);
  const clientId = newId('appClient');
  const name = readableName(body.client_name ?? '') || new URL(body.redirect_uris[0]!).host;
  await workerDatabase.transaction(async (tx) => {
    if ((await countAppClients(tx, createdAt, expiresAt)) >= UNCONNECTED_MAX)
      throw new CairnError('rate_limited', 'Too many clients have registered and were not connected.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    await insertAppClient(tx, {
      client_id: clientId,
      name,
      redirect_uris: body.redirect_uris,
      created_at: createdAt,
      expires_at: expiresAt,
    });
  });
  return {
    status: 201,
    body: {
      client_id: clientId,
      client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
      client_name: name,
      redirect_uris: body.redirect_uris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  };
}
