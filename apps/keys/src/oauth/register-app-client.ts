import { newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { networkAround } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import type { PublicRequestContext, PublicResponse } from '@cairn/service-kit';
import { insertAppClient, evictAppClients } from '../credentials/app-client-store.ts';
import { oauthError } from './oauth-error.ts';
import { readableName } from '../apps/find-client.ts';
import { mayBeRedirect } from '../apps/oauth-addresses.ts';

const UNCONNECTED_LIFETIME_MS = 24 * 3_600_000;
/**
 * Of the whole installation. No stranger can fill it for others: the network that holds most makes room, so that a
 * network with few registrations keeps them for the whole day.
 */
export const UNCONNECTED_MAX = 10_000;
/** What one customer of a provider commonly holds: an IPv6 site, and of IPv4 the smallest network that is routed alone. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 } as const;

interface RegisterDeps {
  workerDatabase: Database;
  now: () => Date;
  /** Default: the installation's bound. */
  unconnectedMax?: number;
}

/** Registers a public client for a day, and for longer once somebody connects it. */
export async function registerAppClient(
  { workerDatabase, now, unconnectedMax = UNCONNECTED_MAX }: RegisterDeps,
  { body, clientAddress }: PublicRequestContext<typeof operations.registerAppClient>,
): Promise<PublicResponse<typeof operations.registerAppClient>> {
  if (!body.redirect_uris.every(mayBeRedirect))
    return oauthError('invalid_redirect_uri', 'Each address must be https, or http on the loopback interface.');
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + UNCONNECTED_LIFETIME_MS);
  const clientId = newId('appClient');
  const name = readableName(body.client_name ?? '') || new URL(body.redirect_uris[0]!).host;
  await workerDatabase.transaction(async (tx) => {
    await evictAppClients(tx, createdAt, expiresAt, unconnectedMax);
    await insertAppClient(tx, {
      client_id: clientId,
      name,
      redirect_uris: body.redirect_uris,
      created_at: createdAt,
      expires_at: expiresAt,
      network: networkAround(clientAddress, NETWORK_BITS) ?? '',
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
