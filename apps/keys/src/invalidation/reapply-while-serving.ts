import type { JournalEntry } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import { findTenant } from '../tenants/tenant-store.ts';
import type { Invalidate, Invalidation } from './invalidate.ts';
import { reapplyDecision } from './reapply-decision.ts';

/**
 * Makes a decision of the journal true in a database that is being served and that has forgotten it, such as a copy of a
 * disk. Gateways may have admitted the credentials since, so they are notified as of any other revocation.
 */
export async function reapplyWhileServing(
  deps: { invalidate: Invalidate; workerDatabase: Database; now: () => Date },
  entry: JournalEntry,
): Promise<void> {
  const invalidation = await deps.workerDatabase.transaction((tx) => invalidationOf(tx, entry));
  if (invalidation === null) return;
  await deps.invalidate(invalidation, () => reapplyDecision(deps, entry));
}

/** Null when the decision is known here, as nearly every one is, or concerns no credential. */
async function invalidationOf(tx: Tx, { decision, tenantId }: JournalEntry): Promise<Invalidation | null> {
  if (decision.case === 'credentialsRevoked') {
    const ids = await stillValid(tx, decision.value.credentialIds);
    return ids.length === 0 ? null : { invalidated: { what: 'credentials', ids }, effect: 'deny', closes: true };
  }
  if (decision.case === 'tenantStatusChanged') {
    const tenant = await findTenant(tx, tenantId);
    const { status, revision } = decision.value;
    if (tenant === null || tenant.revision >= Number(revision) || tenant.status === status) return null;
    return { invalidated: { what: 'tenant', tenantId }, effect: 'recheck', closes: status !== 'active' };
  }
  return null;
}

async function stillValid(tx: Tx, credentialIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT key_id AS id FROM api_keys WHERE key_id = ANY($1) AND revoked_at IS NULL
     UNION ALL SELECT client_id FROM oauth_clients WHERE client_id = ANY($1) AND revoked_at IS NULL
     UNION ALL SELECT token_id FROM oauth_tokens WHERE token_id = ANY($1) AND revoked_at IS NULL
     UNION ALL SELECT app_id FROM connected_apps WHERE app_id = ANY($1) AND revoked_at IS NULL
     UNION ALL SELECT session_id FROM console_sessions WHERE session_id = ANY($1) AND revoked_at IS NULL`,
    [credentialIds],
  );
  return rows.map(({ id }) => id);
}
