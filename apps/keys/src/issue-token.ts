import { type issueOAuthToken, newId, type Scope } from '@cairn/contracts';
import { digestOf, generateKey } from '@cairn/identity';
import { CairnError } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { OpenAnswer, OpenCall } from '@cairn/service-kit';
import OAuth2Server from '@node-oauth/oauth2-server';
import { authenticateClient, claimOf } from './client-authentication.ts';
import { type ClientRow, countGoodTokens, insertToken } from './oauth-store.ts';
import { oauthRefusal } from './oauth-refusal.ts';
import { lockCount } from './plan-limits.ts';

export const TOKEN_LIFETIME_SECONDS = 3_600;
/** A process that keeps its token for an hour, as it may, needs one. */
export const TOKENS_PER_CLIENT_MAX = 1_000;
const GRANT = 'client_credentials';

interface TokenParts {
  workerDatabase: Database;
  now: () => Date;
}

type IssueToken = (call: OpenCall<typeof issueOAuthToken>) => Promise<OpenAnswer<typeof issueOAuthToken>>;

/** The token endpoint of RFC 6749 over our own tables: what it issues is a credential like any key. */
export function createTokenEndpoint(parts: TokenParts): IssueToken {
  const server = new OAuth2Server({ model: modelOver(parts), accessTokenLifetime: TOKEN_LIFETIME_SECONDS });
  return async ({ authorization, body }) => {
    const claim = claimOf(authorization, body);
    if (!claim.ok) return refusedClaim(claim.reason);
    const { clientId, clientSecret } = claim.credentials;
    const form = { grant_type: body.grant_type, scope: body.scope, client_id: clientId, client_secret: clientSecret };
    const request = new OAuth2Server.Request({
      method: 'POST',
      query: {},
      // What type-is looks for in a request that has a body.
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
      body: form,
    });
    try {
      const token = await server.token(request, new OAuth2Server.Response());
      const lifetimeMs = token.accessTokenExpiresAt!.getTime() - parts.now().getTime();
      return {
        body: {
          access_token: token.accessToken,
          token_type: 'Bearer',
          expires_in: Math.round(lifetimeMs / 1_000),
          scope: (token.scope ?? []).join(' '),
        },
      };
    } catch (error) {
      return refusedBy(error);
    }
  };
}

export function refusedClaim(reason: 'both' | 'none'): OpenAnswer<never> {
  return reason === 'both'
    ? oauthRefusal('invalid_request', 'Authenticate in the header or in the body, not in both.')
    : oauthRefusal('invalid_client', 'Send the credentials of a client.');
}

/** What the library refuses, as it names it; what failed inside of it goes on as the failure it was. */
function refusedBy(error: unknown): OpenAnswer<never> {
  if (!(error instanceof OAuth2Server.OAuthError)) throw error;
  if (error.code >= 500) throw (error as { inner?: unknown }).inner ?? error;
  if (error.name === 'invalid_client') return oauthRefusal('invalid_client', 'The client is not known, or not good.');
  return oauthRefusal(error.name, error.message);
}

function modelOver(parts: TokenParts): OAuth2Server.ClientCredentialsModel {
  return {
    async getClient(clientId, clientSecret) {
      const client = await authenticateClient(parts, { clientId, clientSecret });
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
      const expiresAt = endOf(row, parts.now());
      const stored = await parts.workerDatabase.transaction(async (tx) => {
        await assertRoomForToken(tx, row.client_id, parts.now());
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
      // Tokens are judged by resolve, not by the library.
      return null;
    },
  };
}

/** Throws `rate_limited` until the first of them ends; two that are issued at the same time wait for each other. */
async function assertRoomForToken(tx: Tx, clientId: string, now: Date): Promise<void> {
  await lockCount(tx, 'oauth_tokens', clientId);
  const { good, firstEnd } = await countGoodTokens(tx, clientId, now);
  if (good < TOKENS_PER_CLIENT_MAX) return;
  throw new CairnError(
    'rate_limited',
    `The client has ${good} tokens that have not expired; use one of them until it does.`,
    { retryAfterSeconds: (firstEnd.getTime() - now.getTime()) / 1_000 },
  );
}

function endOf(client: ClientRow, now: Date): Date {
  const end = now.getTime() + TOKEN_LIFETIME_SECONDS * 1_000;
  return new Date(Math.min(end, client.expires_at?.getTime() ?? Infinity));
}
