import { createHash, randomBytes } from 'node:crypto';
import { api, type ApiAnswer } from './api.ts';
import { recordSecrets } from './secret-watch.ts';

export const APP_REDIRECT = 'http://127.0.0.1:41000/callback';

interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

export interface ConnectedApp extends Tokens {
  app_id: string;
  client_id: string;
}

/** A request for a code by PKCE, and the verifier that redeems it. */
export function challenge(): { verifier: string; code_challenge: string; code_challenge_method: string } {
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, code_challenge, code_challenge_method: 'S256' };
}

export async function register(baseUrl: string, redirectUris = [APP_REDIRECT]): Promise<string> {
  const body = { client_name: 'Field notes', redirect_uris: redirectUris };
  return (await api(baseUrl, null, 'POST', '/oauth/register', body)).body.client_id;
}

/** What the token endpoint answers to a form. */
export async function tokenRequest(
  baseUrl: string,
  fields: Record<string, string>,
  path = '/oauth/token',
): Promise<ApiAnswer> {
  const response = await fetch(baseUrl + path, { method: 'POST', body: new URLSearchParams(fields) });
  const body = (await response.json()) as Record<string, unknown>;
  recordSecrets(body);
  return { status: response.status, headers: response.headers, body };
}

export function codeOf(redirectTo: string): string {
  return new URL(redirectTo).searchParams.get('code')!;
}

/** Registers a client and connects it to a space with a key or a session. */
export async function connectApp(
  baseUrl: string,
  { space_id, headers }: { space_id: string; headers: Record<string, string> },
): Promise<ConnectedApp> {
  const client_id = await register(baseUrl);
  const { verifier, ...pkce } = challenge();
  const resource = `${baseUrl}/api/v1/spaces/${space_id}/mcp`;
  const asked = { client_id, redirect_uri: APP_REDIRECT, resource, ...pkce, scopes: ['spaces:read', 'memory:search'] };
  const granted = await api(baseUrl, null, 'POST', '/api/v1/oauth/authorizations', asked, headers);
  if (granted.status !== 201) throw new Error(`not granted: ${JSON.stringify(granted.body)}`);
  const answer = await tokenRequest(baseUrl, {
    grant_type: 'authorization_code',
    client_id,
    code: codeOf(granted.body.redirect_to),
    redirect_uri: APP_REDIRECT,
    code_verifier: verifier,
  });
  if (answer.status !== 200) throw new Error(`no tokens: ${JSON.stringify(answer.body)}`);
  return { ...(answer.body as Tokens), client_id, app_id: granted.body.app_id };
}

/** RFC 7009, as the client itself. */
export function revokeToken(baseUrl: string, { client_id, refresh_token }: ConnectedApp): Promise<ApiAnswer> {
  return tokenRequest(baseUrl, { client_id, token: refresh_token }, '/oauth/revoke');
}
