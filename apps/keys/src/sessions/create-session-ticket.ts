import { newId, SESSION_TICKET_PREFIX } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { generateSecret } from '@cairn/identity';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { lockCreator } from '../credentials/calling-key.ts';
import { insertTicket } from '../credentials/ticket-store.ts';

const LIFETIME_MS = 10 * 60_000;

/** A ticket for one session of the calling key. The secret is behind the `#` of the link, which no server is sent. */
export async function createSessionTicket(
  deps: { database: Database; now: () => Date; baseUrl: string },
  { identity }: RequestContext<typeof operations.createSessionTicket>,
): Promise<JsonResponse<typeof operations.createSessionTicket>> {
  if (identity.kind === 'oauth')
    throw new CairnError('permission_denied', 'A session stands for a key; an OAuth token cannot open one.');
  if (identity.credentialId !== identity.keyId)
    throw new CairnError('permission_denied', 'A session cannot open another one; use the key.');
  const secret = generateSecret(SESSION_TICKET_PREFIX);
  const expiresAt = new Date(deps.now().getTime() + LIFETIME_MS);
  await deps.database.withTenant(identity.tenantId, async (tx) => {
    const { caller } = await lockCreator(tx, identity.keyId, deps.now());
    await insertTicket(tx, {
      tenant_id: caller.tenant_id,
      ticket_id: newId('ticket'),
      key_id: caller.key_id,
      sha256: secret.sha256,
      expires_at: expiresAt,
    });
  });
  const url = `${deps.baseUrl.replace(/\/$/, '')}/console#ticket=${secret.plaintext}`;
  return { body: { ticket: secret.plaintext, url, expires_at: expiresAt.toISOString() } };
}
