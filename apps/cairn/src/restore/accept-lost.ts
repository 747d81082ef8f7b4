import { createDatabase, type Database, IDENTITY_SQL, type Tx } from '@cairn/postgres';

/** The services whose databases stand in the journal. */
const JOURNALED = ['keys', 'tenancy'] as const;

/** Where one service's database stands. */
interface RestoreStatus {
  service: (typeof JOURNALED)[number];
  /** `served`; `changed` when the server is another one than was last served; `accepted` when losses were accepted. */
  status: 'served' | 'changed' | 'accepted' | 'never started';
  position: number;
}

/** Reads where the databases stand, as a superuser. */
export function readRestoreStatus(adminUrl: string): Promise<RestoreStatus[]> {
  return asAdmin(adminUrl, async (tx) => {
    const identity = await identityOf(tx);
    const found: RestoreStatus[] = [];
    for (const service of JOURNALED) {
      const [row] = await tx.query<{ known: string; accepted: string | null; position: number }>(
        `SELECT database_identity AS known, accepted_identity AS accepted, position FROM ${service}.restore_state`,
      );
      const status =
        row === undefined
          ? 'never started'
          : row.known === identity
            ? 'served'
            : row.accepted === identity
              ? 'accepted'
              : 'changed';
      found.push({ service, status, position: row?.position ?? 0 });
    }
    return found;
  });
}

/**
 * Makes the services treat the database as restored at their next start, for copies that PostgreSQL cannot tell from the
 * original, such as a snapshot of its disk.
 */
export function markRestored(adminUrl: string): Promise<void> {
  return asAdmin(adminUrl, async (tx) => {
    for (const service of JOURNALED)
      await tx.execute(`UPDATE ${service}.restore_state SET database_identity = 'marked by the operator'`);
  });
}

/**
 * Lets the services serve this server although the journal is lost; with `revokeAll` every credential is revoked first.
 * Returns how many were.
 */
export function acceptLostDecisions(adminUrl: string, { revokeAll }: { revokeAll: boolean }): Promise<number> {
  return asAdmin(adminUrl, async (tx) => {
    const identity = await identityOf(tx);
    let revoked = 0;
    if (revokeAll)
      for (const table of ['api_keys', 'oauth_clients', 'oauth_tokens'])
        revoked += await tx.execute(`UPDATE keys.${table} SET revoked_at = now() WHERE revoked_at IS NULL`);
    for (const service of JOURNALED)
      await tx.execute(`UPDATE ${service}.restore_state SET accepted_identity = $1`, [identity]);
    return revoked;
  });
}

async function identityOf(tx: Tx): Promise<string> {
  return (await tx.query<{ identity: string }>(IDENTITY_SQL))[0]!.identity;
}

async function asAdmin<T>(adminUrl: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const database: Database = createDatabase({ url: adminUrl, applicationName: 'cairn:restore', poolMax: 1 });
  try {
    return await database.transaction(work);
  } finally {
    await database.close();
  }
}
