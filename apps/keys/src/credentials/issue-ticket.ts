import { newId, SESSION_TICKET_PREFIX } from '@cairn/contracts';
import type { createSessionTicket, ResponseOf } from '@cairn/contracts';
import { generateSecret } from '@cairn/identity';
import type { Tx } from '@cairn/postgres';
import type { KeyRow } from './key-store.ts';
import { insertTicket } from './ticket-store.ts';

const LIFETIME_MS = 10 * 60_000;

/** Makes a ticket that opens one session of the key or member; the secret is behind the `#` of the link, which no server is sent. */
export async function issueTicket(
  tx: Tx,
  deps: { now: () => Date; baseUrl: string },
  key: KeyRow,
): Promise<ResponseOf<typeof createSessionTicket>> {
  const secret = generateSecret(SESSION_TICKET_PREFIX);
  const expiresAt = new Date(deps.now().getTime() + LIFETIME_MS);
  await insertTicket(tx, {
    tenant_id: key.tenant_id,
    ticket_id: newId('ticket'),
    key_id: key.key_id,
    sha256: secret.sha256,
    expires_at: expiresAt,
  });
  const url = consoleUrl(deps.baseUrl, { ticket: secret.plaintext });
  return { ticket: secret.plaintext, url, expires_at: expiresAt.toISOString() };
}

/** An address of the console; what it is given is behind the `#`, which no server and no log sees. */
export function consoleUrl(baseUrl: string, given: Record<string, string>): string {
  return `${baseUrl.replace(/\/$/, '')}/console#${new URLSearchParams(given).toString()}`;
}
