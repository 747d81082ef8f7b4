import { encodeEvent, newId } from '@cairn/contracts';
import type { openSession } from '@cairn/contracts';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import type { PublicRequestContext } from '@cairn/service-kit';
import type { KeyRow } from '../credentials/key-store.ts';

const OPERATION: (typeof openSession)['id'] = 'openSession';
const STATUS = 200;

/**
 * Records a sign-in for the audit log, in the transaction that opens the session. Nobody is known before that, so the
 * service kit, which records every other change, cannot.
 */
export async function recordSignIn(
  tx: Tx,
  {
    key,
    sessionId,
    request,
    at,
  }: { key: KeyRow; sessionId: string; request: PublicRequestContext<typeof openSession>; at: Date },
): Promise<void> {
  const event = {
    auditId: newId('audit'),
    operation: OPERATION,
    actorId: key.key_id,
    actorKind: key.kind,
    credentialId: sessionId,
    requestId: request.requestId,
    clientAddress: request.clientAddress,
    status: STATUS,
    targets: [{ name: 'session_id', id: sessionId }],
    answered: true,
  };
  await appendToOutbox(
    tx,
    encodeEvent('auditRecorded', { tenantId: key.tenant_id, livemode: key.livemode }, event, at),
  );
}
