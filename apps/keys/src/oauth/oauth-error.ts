import type { PublicResponse } from '@cairn/service-kit';

/** An error response of RFC 6749, section 5.2: 401 with a challenge for an unknown client, else 400. */
export function oauthError(error: string, description: string): PublicResponse<never> {
  const unknown = error === 'invalid_client';
  return {
    status: unknown ? 401 : 400,
    headers: unknown ? { 'www-authenticate': 'Basic realm="cairn", charset="UTF-8"' } : {},
    body: { error, error_description: description.replace(/[`"\\]/g, "'") },
  };
}

/** What to return when a request does not authenticate a client in exactly one way. */
export function authenticationError(reason: 'both' | 'none'): PublicResponse<never> {
  return reason === 'both'
    ? oauthError('invalid_request', 'Authenticate in the header or in the body, not in both.')
    : oauthError('invalid_client', 'Send the credentials of a client.');
}
