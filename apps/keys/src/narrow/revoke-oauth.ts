import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeEvent } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { findClient, type TokenRow } from '../oauth-store.ts';
import type { Narrow, Narrowing } from './narrow.ts';
import type { Transact } from './narrow-affected.ts';

interface RevokeParts {
  narrow: Narrow;
  now: () => Date;
}

/** Revokes an OAuth client with every token it has; gives when it was revoked. Throws `not_found`. */
export async function revokeClientTokens(parts: RevokeParts, transact: Transact, clientId: string): Promise<Date> {
  // Before anybody is told: who may not see the client cannot make gateways forget it.
  if ((await transact((tx) => findClient(tx, clientId))) === null) throw notFound('The OAuth client');
  return parts.narrow(denying(clientId), () =>
    transact(async (tx) => {
      const fresh = await tx.query<{ tenant_id: string; livemode: boolean }>(
        'UPDATE oauth_clients SET revoked_at = $2 WHERE client_id = $1 AND revoked_at IS NULL RETURNING tenant_id, livemode',
        [clientId, parts.now()],
      );
      await tx.execute('UPDATE oauth_tokens SET revoked_at = $2 WHERE client_id = $1 AND revoked_at IS NULL', [
        clientId,
        parts.now(),
      ]);
      if (fresh[0] !== undefined) await sayRevoked(tx, fresh[0], clientId, parts.now());
      const client = await findClient(tx, clientId);
      if (client === null) throw notFound('The OAuth client');
      return client.revoked_at!;
    }),
  );
}

/** Writes down that the clients with their tokens, and the tokens, are revoked, those that are not yet. */
export async function markOAuthRevoked(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  const clients = await tx.query<{ client_id: string; tenant_id: string; livemode: boolean }>(
    `UPDATE oauth_clients SET revoked_at = $2 WHERE client_id = ANY($1) AND revoked_at IS NULL
     RETURNING client_id, tenant_id, livemode`,
    [ids, at],
  );
  await tx.execute(
    `UPDATE oauth_tokens SET revoked_at = $2
      WHERE (client_id = ANY($1) OR token_id = ANY($1)) AND revoked_at IS NULL`,
    [ids, at],
  );
  for (const client of clients) await sayRevoked(tx, client, client.client_id, at);
}

/** Revokes one token. A repeat, and a token that is gone, change nothing. */
export async function revokeToken(
  parts: RevokeParts,
  transact: Transact,
  token: TokenRow,
  livemode: boolean,
): Promise<void> {
  await parts.narrow(denying(token.token_id), () =>
    transact(async (tx) => {
      const fresh = await tx.execute(
        'UPDATE oauth_tokens SET revoked_at = $2 WHERE token_id = $1 AND revoked_at IS NULL',
        [token.token_id, parts.now()],
      );
      if (fresh > 0) await sayRevoked(tx, { tenant_id: token.tenant_id, livemode }, token.token_id, parts.now());
    }),
  );
}

function denying(id: string): Narrowing {
  return { narrowed: { what: 'credentials', ids: [id] }, effect: 'deny', closes: true };
}

async function sayRevoked(
  tx: Tx,
  of: { tenant_id: string; livemode: boolean },
  credentialId: string,
  at: Date,
): Promise<void> {
  const event = { keyId: credentialId, revokedAt: timestampFromDate(at) };
  await appendToOutbox(tx, encodeEvent('keyRevoked', { tenantId: of.tenant_id, livemode: of.livemode }, event));
}
