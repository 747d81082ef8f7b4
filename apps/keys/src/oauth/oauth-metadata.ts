import type * as operations from '@cairn/contracts';
import { SCOPES } from '@cairn/contracts';
import type { PublicResponse } from '@cairn/service-kit';

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

/** The metadata of RFC 8414 for the public base URL. */
export async function oauthMetadata({
  baseUrl,
}: {
  baseUrl: string;
}): Promise<PublicResponse<typeof operations.oauthMetadata>> {
  const issuer = baseUrl.replace(/(?<!\/)\/+$/, '');
  return {
    body: {
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      grant_types_supported: ['client_credentials'],
      // None of our grants uses an authorization endpoint; RFC 8414 requires the field all the same.
      response_types_supported: [],
      scopes_supported: [...SCOPES],
      token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      service_documentation: `${issuer}/docs`,
    },
  };
}
