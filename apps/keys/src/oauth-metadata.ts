import { type AnswerOf, type oauthMetadata, SCOPES } from '@cairn/contracts';

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post'];

/** The metadata of RFC 8414 for the address that callers know. */
export function metadataOf(baseUrl: string): AnswerOf<typeof oauthMetadata> {
  const issuer = baseUrl.replace(/(?<!\/)\/+$/, '');
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    grant_types_supported: ['client_credentials'],
    // No grant of ours passes an authorization endpoint; the field is required all the same.
    response_types_supported: [],
    scopes_supported: [...SCOPES],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    service_documentation: `${issuer}/docs`,
  };
}
