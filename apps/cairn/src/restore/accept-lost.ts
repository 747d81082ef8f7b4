import { encodeJournalEntry } from '@cairn/contracts';
import { createDatabase, type Database, IDENTITY_SQL, type Tx, UNKNOWN_IDENTITY } from '@cairn/postgres';

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
      if (!(await hasRecord(tx, service))) {
        found.push({ service, status: 'never started', position: 0 });
        continue;
      }
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
    await requireRecords(tx);
    for (const service of JOURNALED)
      await tx.execute(
        `INSERT INTO ${service}.restore_state (database_identity, journal, position) VALUES ($1, '', 0)
         ON CONFLICT (only_row) DO UPDATE SET database_identity = excluded.database_identity`,
        ['marked by the operator'],
      );
  });
}

/**
 * Lets the services serve this server although the journal is lost; with `revokeAll` every credential is revoked first.
 * Returns how many were.
 */
export function acceptLostDecisions(adminUrl: string, { revokeAll }: { revokeAll: boolean }): Promise<number> {
  return asAdmin(adminUrl, async (tx) => {
    await requireRecords(tx);
    const identity = await identityOf(tx);
    const revoked = revokeAll ? await revokeAllCredentials(tx) : 0;
    for (const service of JOURNALED)
      await tx.execute(
        `INSERT INTO ${service}.restore_state (database_identity, journal, position, accepted_identity)
         VALUES ($1, '', 0, $2)
         ON CONFLICT (only_row) DO UPDATE SET accepted_identity = excluded.accepted_identity`,
        [UNKNOWN_IDENTITY, identity],
      );
    return revoked;
  });
}

/** What can be revoked, and the name of its id. */
const CREDENTIALS = [
  { table: 'api_keys', id: 'key_id' },
  { table: 'oauth_clients', id: 'client_id' },
  { table: 'oauth_tokens', id: 'token_id' },
  { table: 'connected_apps', id: 'app_id' },
  { table: 'console_sessions', id: 'session_id' },
] as const;
/** What ends with them: a member with its key, an invitation with the key that made it. */
const ENDED_WITH_THEM = [
  { table: 'members', set: 'removed_at = now()', where: 'removed_at IS NULL' },
  { table: 'member_invitations', set: 'revoked_at = now()', where: 'accepted_at IS NULL AND revoked_at IS NULL' },
] as const;
/** Credentials of one tenant that one entry of the journal names. */
const IDS_PER_ENTRY = 1_000;

/** Revokes them and says so in the journal, or a later restore would make them valid again. */
async function revokeAllCredentials(tx: Tx): Promise<number> {
  const revoked = new Map<string, string[]>();
  for (const { table, id } of CREDENTIALS) {
    if (!(await isThere(tx, table))) continue;
    const rows = await tx.query<{ tenant_id: string; id: string }>(
      `UPDATE keys.${table} SET revoked_at = now() WHERE revoked_at IS NULL RETURNING tenant_id, ${id} AS id`,
    );
    for (const row of rows) {
      const ids = revoked.get(row.tenant_id) ?? [];
      revoked.set(row.tenant_id, ids);
      ids.push(row.id);
    }
  }
  for (const { table, set, where } of ENDED_WITH_THEM)
    if (await isThere(tx, table)) await tx.execute(`UPDATE keys.${table} SET ${set} WHERE ${where}`);
  for (const [tenantId, ids] of revoked)
    for (let from = 0; from < ids.length; from += IDS_PER_ENTRY) {
      const value = { credentialIds: ids.slice(from, from + IDS_PER_ENTRY) };
      const entry = encodeJournalEntry('keys', tenantId, { case: 'credentialsRevoked', value });
      await tx.execute('INSERT INTO keys.outbox (tenant_id, event_id, subject, payload) VALUES ($1, $2, $3, $4)', [
        entry.tenantId,
        entry.eventId,
        entry.subject,
        Buffer.from(entry.payload),
      ]);
    }
  return [...revoked.values()].reduce((sum, ids) => sum + ids.length, 0);
}

/** The schema may be that of an earlier release. */
async function isThere(tx: Tx, table: string): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [`keys.${table}`]);
  return row!.found;
}

/** There is no place to write it down in a state from before the migration that records where the database stands. */
async function requireRecords(tx: Tx): Promise<void> {
  for (const service of JOURNALED)
    if (!(await hasRecord(tx, service)))
      throw new Error(
        `The schema ${service} is from an older release. Bring all schemas up to date with “cairn operator migrate”, ` +
          'then run this again; nothing was changed.',
      );
}

/** False in a state from before the migration that records where the database stands. */
async function hasRecord(tx: Tx, service: (typeof JOURNALED)[number]): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    `${service}.restore_state`,
  ]);
  return row!.found;
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
