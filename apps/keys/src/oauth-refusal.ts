import type { OpenAnswer } from '@cairn/service-kit';

/** A refusal of RFC 6749, section 5.2: 401 with a challenge for a client that is not known, else 400. */
export function oauthRefusal(error: string, description: string): OpenAnswer<never> {
  const unknown = error === 'invalid_client';
  return {
    status: unknown ? 401 : 400,
    headers: unknown ? { 'www-authenticate': 'Basic realm="cairn", charset="UTF-8"' } : {},
    body: { error, error_description: description.replace(/[`"\\]/g, "'") },
  };
}
