import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeEvent } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { findClient, type TokenRow } from '../credentials/oauth-store.ts';
import type { Invalidate, Invalidation } from './invalidate.ts';
import type { Transact } from './invalidate-affected.ts';
import { journalRevocation } from './journal-revocation.ts';

interface RevokeDeps {
  invalidate: Invalidate;
  now: () => Date;
}

/**
 * Revokes an OAuth client with every token it has; returns when it was revoked. Throws `not_found` when it was erased in
 * the meantime.
 */
export async function revokeClientTokens(deps: RevokeDeps, transact: Transact, clientId: string): Promise<Date> {
  return deps.invalidate(denialOf(clientId), () =>
    transact(async (tx) => {
      const fresh = await tx.query<{ tenant_id: string; livemode: boolean }>(
        'UPDATE oauth_clients SET revoked_at = $2 WHERE client_id = $1 AND revoked_at IS NULL RETURNING tenant_id, livemode',
        [clientId, deps.now()],
      );
      await tx.execute('UPDATE oauth_tokens SET revoked_at = $2 WHERE client_id = $1 AND revoked_at IS NULL', [
        clientId,
        deps.now(),
      ]);
      if (fresh[0] !== undefined) await publishRevocation(tx, fresh[0], clientId, deps.now());
      const client = await findClient(tx, clientId);
      if (client === null) throw notFound('The OAuth client');
      return client.revoked_at!;
    }),
  );
}

/** Marks clients with their tokens, and single tokens, as revoked, those that are not yet, and publishes it. */
export async function markOAuthRevoked(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  const clients = await tx.query<{ client_id: string; tenant_id: string; livemode: boolean }>(
    `UPDATE oauth_clients SET revoked_at = $2 WHERE client_id = ANY($1) AND revoked_at IS NULL
     RETURNING client_id, tenant_id, livemode`,
    [ids, at],
  );
  // They end by what is published of their client.
  await tx.execute('UPDATE oauth_tokens SET revoked_at = $2 WHERE client_id = ANY($1) AND revoked_at IS NULL', [
    ids,
    at,
  ]);
  const tokens = await tx.query<{ token_id: string; tenant_id: string; livemode: boolean }>(
    `UPDATE oauth_tokens SET revoked_at = $2 FROM oauth_clients
      WHERE token_id = ANY($1) AND oauth_tokens.revoked_at IS NULL AND oauth_clients.client_id = oauth_tokens.client_id
     RETURNING token_id, oauth_tokens.tenant_id, livemode`,
    [ids, at],
  );
  for (const client of clients) await publishRevocation(tx, client, client.client_id, at);
  for (const token of tokens) await publishRevocation(tx, token, token.token_id, at);
}

/** Revokes one token. A repeat, and a token that is gone, change nothing. */
export async function revokeToken(
  deps: RevokeDeps,
  transact: Transact,
  token: TokenRow,
  livemode: boolean,
): Promise<void> {
  await deps.invalidate(denialOf(token.token_id), () =>
    transact(async (tx) => {
      const fresh = await tx.execute(
        'UPDATE oauth_tokens SET revoked_at = $2 WHERE token_id = $1 AND revoked_at IS NULL',
        [token.token_id, deps.now()],
      );
      if (fresh > 0) await publishRevocation(tx, { tenant_id: token.tenant_id, livemode }, token.token_id, deps.now());
    }),
  );
}

function denialOf(id: string): Invalidation {
  return { invalidated: { what: 'credentials', ids: [id] }, effect: 'deny', closes: true };
}

async function publishRevocation(
  tx: Tx,
  scope: { tenant_id: string; livemode: boolean },
  credentialId: string,
  at: Date,
): Promise<void> {
  const event = { keyId: credentialId, revokedAt: timestampFromDate(at) };
  await appendToOutbox(tx, encodeEvent('keyRevoked', { tenantId: scope.tenant_id, livemode: scope.livemode }, event));
  await journalRevocation(tx, scope.tenant_id, [credentialId]);
}
