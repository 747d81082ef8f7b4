import { newId, type Scope } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, generateKey } from '@cairn/identity';
import type { Database, Tx } from '@cairn/postgres';
import OAuth2Server from '@node-oauth/oauth2-server';
import { type ClientRow, countValidTokens, insertToken } from '../credentials/oauth-store.ts';
import { lockCount } from '../credentials/plan-limits.ts';
import { authenticateClient } from './client-authentication.ts';

const TOKEN_LIFETIME_SECONDS = 3_600;
/** A process that keeps its token for an hour, as it may, needs one. */
export const TOKENS_PER_CLIENT_MAX = 1_000;
const GRANT = 'client_credentials';

interface TokenDeps {
  workerDatabase: Database;
  now: () => Date;
}

/** The client credentials grant of RFC 6749 over our own tables: what it issues is a credential like any key. */
export function createTokenServer(deps: TokenDeps): OAuth2Server {
  return new OAuth2Server({ model: modelOver(deps), accessTokenLifetime: TOKEN_LIFETIME_SECONDS });
}

function modelOver(deps: TokenDeps): OAuth2Server.ClientCredentialsModel {
  return {
    async getClient(clientId, clientSecret) {
      const client = await authenticateClient(deps, { clientId, clientSecret });
      return client === null ? null : { id: client.client_id, grants: [GRANT], row: client };
    },
    async getUserFromClient(client) {
      return client['row'] as ClientRow;
    },
    async validateScope(_user, client, scope) {
      const held: readonly string[] = (client['row'] as ClientRow).scopes;
      if (scope === undefined) return [...held];
      return scope.every((one) => held.includes(one)) && [...new Set(scope)];
    },
    async generateAccessToken() {
      return generateKey('oauth').plaintext;
    },
    async saveToken(token, client, user) {
      const row = client['row'] as ClientRow;
      const expiresAt = expiryOf(row, deps.now());
      const stored = await deps.workerDatabase.transaction(async (tx) => {
        await assertRoomForToken(tx, row.client_id, deps.now());
        return insertToken(tx, {
          tenant_id: row.tenant_id,
          token_id: newId('oauthToken'),
          client_id: row.client_id,
          sha256: digestOf(token.accessToken),
          scopes: (token.scope ?? []) as Scope[],
          expires_at: expiresAt,
        });
      });
      // Revoked since it was authenticated.
      if (!stored) throw new OAuth2Server.InvalidClientError('The client was revoked.');
      return { ...token, accessTokenExpiresAt: expiresAt, client, user };
    },
    async getAccessToken() {
      // Tokens are validated by `resolve`, not by the library.
      return null;
    },
  };
}

/** Throws `rate_limited` until the first of them expires; two that are issued at the same time wait for each other. */
async function assertRoomForToken(tx: Tx, clientId: string, now: Date): Promise<void> {
  await lockCount(tx, 'oauth_tokens', clientId);
  const { valid, firstExpiry } = await countValidTokens(tx, clientId, now);
  if (valid < TOKENS_PER_CLIENT_MAX) return;
  throw new CairnError(
    'rate_limited',
    `The client has ${valid} tokens that have not expired; use one of them until it does.`,
    { retryAfterSeconds: (firstExpiry.getTime() - now.getTime()) / 1_000 },
  );
}

function expiryOf(client: ClientRow, now: Date): Date {
  const expiry = now.getTime() + TOKEN_LIFETIME_SECONDS * 1_000;
  return new Date(Math.min(expiry, client.expires_at?.getTime() ?? Infinity));
}
