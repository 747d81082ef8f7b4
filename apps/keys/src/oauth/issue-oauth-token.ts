import type * as operations from '@cairn/contracts';
import type { PublicResponse, PublicRequestContext } from '@cairn/service-kit';
import OAuth2Server from '@node-oauth/oauth2-server';
import { type AppTokenDeps, issueAppTokens } from './issue-app-tokens.ts';
import { presentedCredentials } from './client-authentication.ts';
import { authenticationError, oauthError } from './oauth-error.ts';
import { GRANT_TYPES } from './oauth-metadata.ts';

const CLIENT_GRANT = 'client_credentials';

/** The token endpoint of RFC 6749. */
export async function issueOAuthToken(
  deps: AppTokenDeps & { tokenServer: OAuth2Server },
  { authorization, body }: PublicRequestContext<typeof operations.issueOAuthToken>,
): Promise<PublicResponse<typeof operations.issueOAuthToken>> {
  const { grant_type: grant = CLIENT_GRANT } = body;
  if (!GRANT_TYPES.includes(grant))
    return oauthError('unsupported_grant_type', `The grant types are ${GRANT_TYPES.join(', ')}.`);
  if (grant !== CLIENT_GRANT) return issueAppTokens(deps, authorization, body);
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
