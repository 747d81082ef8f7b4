import { timingSafeEqual } from 'node:crypto';
import { idPattern } from '@cairn/contracts';
import { digestOf } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import { stateOf } from '../credentials/credential-state.ts';
import { type ClientRow, findClient } from '../credentials/oauth-store.ts';
import { findTenant } from '../tenants/tenant-store.ts';

const CLIENT_WITH_SECRET = idPattern('oauthClient');

/** Whether it is the id of a client that must authenticate. */
export function hasSecret(clientId: string | undefined): boolean {
  return clientId !== undefined && CLIENT_WITH_SECRET.test(clientId);
}

interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

type PresentedCredentials =
  | { ok: true; credentials: ClientCredentials }
  /** `both`: in the header and in the body, which RFC 6749 forbids; `none`: nothing, or nothing that can be decoded. */
  | { ok: false; reason: 'both' | 'none' };

/**
 * The credentials that a client presents: by HTTP Basic (`client_secret_basic`) or in the body (`client_secret_post`).
 */
export function presentedCredentials(
  authorization: string | undefined,
  body: { client_id?: string | undefined; client_secret?: string | undefined },
): PresentedCredentials {
  if (authorization !== undefined) {
    if (body.client_secret !== undefined) return { ok: false, reason: 'both' };
    const basic = basicOf(authorization);
    if (basic === null) return { ok: false, reason: 'none' };
    // Beside the header the body may name the client again, not another.
    if (body.client_id !== undefined && body.client_id !== basic.clientId) return { ok: false, reason: 'both' };
    return { ok: true, credentials: basic };
  }
  if (body.client_id === undefined || body.client_secret === undefined) return { ok: false, reason: 'none' };
  return { ok: true, credentials: { clientId: body.client_id, clientSecret: body.client_secret } };
}

/** Both halves are form-encoded before they are joined (RFC 6749, 2.3.1). */
function basicOf(authorization: string): ClientCredentials | null {
  const match = /^Basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization);
  if (match === null) return null;
  const [id, ...secret] = Buffer.from(match[1]!, 'base64').toString().split(':');
  if (id === undefined || secret.length === 0) return null;
  try {
    return { clientId: formDecoded(id), clientSecret: formDecoded(secret.join(':')) };
  } catch {
    return null;
  }
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** The client when the secret matches and both it and its tenant are valid; null does not say which of these failed. */
export async function authenticateClient(
  deps: { workerDatabase: Database; now: () => Date },
  { clientId, clientSecret }: ClientCredentials,
): Promise<ClientRow | null> {
  // PostgreSQL stores no NUL characters, so no client has such an id.
  if (clientId.includes('\0')) return null;
  const found = await deps.workerDatabase.transaction(async (tx) => {
    const client = await findClient(tx, clientId);
    return client === null ? null : { client, tenant: await findTenant(tx, client.tenant_id) };
  });
  const digest = digestOf(clientSecret);
  const matches = timingSafeEqual(found?.client.secret_sha256 ?? digest, digest);
  if (found === null || !matches || found.tenant?.status !== 'active') return null;
  return stateOf(found.client, deps.now()) === 'valid' ? found.client : null;
}
