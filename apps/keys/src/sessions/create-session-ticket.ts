import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { lockCreator } from '../credentials/calling-key.ts';
import { issueTicket } from '../credentials/issue-ticket.ts';

/** A ticket for one session of the calling key. */
export async function createSessionTicket(
  deps: { database: Database; now: () => Date; baseUrl: string },
  { identity }: RequestContext<typeof operations.createSessionTicket>,
): Promise<JsonResponse<typeof operations.createSessionTicket>> {
  if (identity.kind === 'oauth')
    throw new CairnError('permission_denied', 'A session stands for a key; an OAuth token cannot open one.');
  if (identity.credentialId !== identity.keyId)
    throw new CairnError('permission_denied', 'A session cannot open another one; use the key.');
  const body = await deps.database.withTenant(identity.tenantId, async (tx) => {
    const { caller } = await lockCreator(tx, identity.keyId, deps.now());
    return issueTicket(tx, deps, caller);
  });
  return { body };
}
