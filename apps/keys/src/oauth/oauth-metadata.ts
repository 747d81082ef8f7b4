import type * as operations from '@cairn/contracts';
import { SCOPES } from '@cairn/contracts';
import type { PublicResponse } from '@cairn/service-kit';
import { issuerOf } from '../apps/oauth-addresses.ts';

/** Those that the token endpoint knows. */
export const GRANT_TYPES: readonly string[] = ['client_credentials', 'authorization_code', 'refresh_token'];

/** `none` is for connected apps, which have no secret to keep. */
const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'];

/** The metadata of RFC 8414 for the public base URL. */
export async function oauthMetadata({
  baseUrl,
}: {
  baseUrl: string;
}): Promise<PublicResponse<typeof operations.oauthMetadata>> {
  const issuer = issuerOf(baseUrl);
  return {
    body: {
      issuer,
      authorization_endpoint: `${issuer}/console/authorize`,
      registration_endpoint: `${issuer}/oauth/register`,
      token_endpoint: `${issuer}/oauth/token`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      grant_types_supported: [...GRANT_TYPES],
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: [...SCOPES],
      token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
      service_documentation: `${issuer}/docs`,
    },
  };
}
