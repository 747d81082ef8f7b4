import type { Database, Tx } from './tx.ts';

/** What the database remembers of its server and of the journal. */
export interface RestoreState {
  /** Of the server that it was last served from. */
  databaseIdentity: string;
  journal: string;
  position: number;
  acceptedIdentity: string | null;
}

/**
 * Tells a server from its restored copy: the cluster's identifier and the timeline of its write-ahead log. A
 * point-in-time restore and a promoted standby begin a new timeline; a restart does not.
 */
export const IDENTITY_SQL =
  "SELECT system_identifier::text || '/' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS identity FROM pg_control_system()";

const FIRST_TIMELINE = '00000001';

/**
 * Whether the server with this identity is the one that its data were made on: it has never been promoted, and none of
 * them is older than itself. Its identifier begins with the second in which it was initialised. A copy of its disk cannot
 * be told from it.
 */
export function isOriginalServer(identity: string, oldestData: Date): boolean {
  const [identifier, timeline] = identity.split('/');
  const initialisedMs = Number(BigInt.asUintN(64, BigInt(identifier!)) >> 32n) * 1_000;
  return timeline === FIRST_TIMELINE && initialisedMs <= oldestData.getTime();
}

async function readIdentity(tx: Tx): Promise<string> {
  return (await tx.query<{ identity: string }>(IDENTITY_SQL))[0]!.identity;
}

/** Null before the first start. Needs the worker role. */
export async function readRestoreState(database: Database): Promise<{ identity: string; state: RestoreState | null }> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<RestoreState>(
      `SELECT database_identity AS "databaseIdentity", journal, position, accepted_identity AS "acceptedIdentity"
         FROM restore_state`,
    );
    return { identity: await readIdentity(tx), state: rows[0] ?? null };
  });
}

/** Of the server that a database was last served from, when its state is from before that was recorded. */
export const UNKNOWN_IDENTITY = '';

/** Records how far the journal was applied, and nothing else: the database stays as unserved or served as it was. */
export async function recordJournalPosition(
  database: Database,
  state: Pick<RestoreState, 'databaseIdentity' | 'journal' | 'position'>,
): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(
      `INSERT INTO restore_state AS known (database_identity, journal, position) VALUES ($1, $2, $3)
       ON CONFLICT (only_row) DO UPDATE SET journal = excluded.journal, position = excluded.position
         WHERE known.database_identity = excluded.database_identity
           AND (known.journal <> excluded.journal OR known.position < excluded.position)`,
      [state.databaseIdentity, state.journal, state.position],
    ),
  );
}

/** Records that everything up to `position` of the journal is in this database. */
export async function writeRestoreState(
  database: Database,
  state: Pick<RestoreState, 'databaseIdentity' | 'journal' | 'position'>,
): Promise<void> {
  await database.transaction(async (tx) => {
    // The server may have been replaced since the caller read where it stands.
    if ((await readIdentity(tx)) !== state.databaseIdentity) throw new Error('the database server was replaced');
    await tx.execute(
      `INSERT INTO restore_state (database_identity, journal, position) VALUES ($1, $2, $3)
       ON CONFLICT (only_row) DO UPDATE
         SET database_identity = excluded.database_identity, journal = excluded.journal, position = excluded.position,
             accepted_identity = NULL`,
      [state.databaseIdentity, state.journal, state.position],
    );
  });
}
