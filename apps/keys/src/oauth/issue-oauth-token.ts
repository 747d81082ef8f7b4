import type * as operations from '@cairn/contracts';
import type { PublicResponse, PublicRequestContext } from '@cairn/service-kit';
import OAuth2Server from '@node-oauth/oauth2-server';
import { type AppTokenDeps, issueAppTokens } from './issue-app-tokens.ts';
import { presentedCredentials } from './client-authentication.ts';
import { authenticationError, oauthError } from './oauth-error.ts';

const APP_GRANTS: ReadonlySet<string | undefined> = new Set(['authorization_code', 'refresh_token']);

/** The token endpoint of RFC 6749. */
export async function issueOAuthToken(
  deps: AppTokenDeps & { tokenServer: OAuth2Server },
  { authorization, body }: PublicRequestContext<typeof operations.issueOAuthToken>,
): Promise<PublicResponse<typeof operations.issueOAuthToken>> {
  if (APP_GRANTS.has(body.grant_type)) return issueAppTokens(deps, body);
  const presented = presentedCredentials(authorization, body);
  if (!presented.ok) return authenticationError(presented.reason);
  const { clientId, clientSecret } = presented.credentials;
  const request = new OAuth2Server.Request({
    method: 'POST',
    query: {},
    // What type-is looks for in a request that has a body.
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
    body: { grant_type: body.grant_type, scope: body.scope, client_id: clientId, client_secret: clientSecret },
  });
  try {
    const token = await deps.tokenServer.token(request, new OAuth2Server.Response());
    const lifetimeMs = token.accessTokenExpiresAt!.getTime() - deps.now().getTime();
    return {
      body: {
        access_token: token.accessToken,
        token_type: 'Bearer',
        expires_in: Math.round(lifetimeMs / 1_000),
        scope: (token.scope ?? []).join(' '),
      },
    };
  } catch (error) {
    return errorResponse(error);
  }
}

/** What the library rejects, under its own error name; a failure inside of it is thrown again as it was. */
function errorResponse(error: unknown): PublicResponse<never> {
  if (!(error instanceof OAuth2Server.OAuthError)) throw error;
  if (error.code >= 500) throw (error as { inner?: unknown }).inner ?? error;
  if (error.name === 'invalid_client') return oauthError('invalid_client', 'The client is unknown or no longer valid.');
  return oauthError(error.name, error.message);
}
