import type pg from 'pg';
import { createConnections } from './connections.ts';
import { IDENTITY_SQL } from './restore-state.ts';
import type { QueryConfig } from './tx.ts';

/** How far a server's log had come; every commit that was acknowledged before is in front of it. */
export interface WalPosition {
  lsn: string;
  /** The history that the position belongs to. */
  origin: string;
}

interface WalPositions {
  /** The primary's position, read after this call. Calls that come while one is being read share the next one. */
  current(): Promise<WalPosition>;
  close(): Promise<void>;
}

interface WalPositionOptions {
  /** Of the primary. */
  url: string;
  applicationName: string;
  onIdleError: (error: Error) => void;
}

/** A read that waits longer for the position goes to the primary instead. */
const ANSWER_TIMEOUT_MS = 1_000;

/**
 * Commits are acknowledged when they are flushed, so that the flushed position is enough; what is written and not yet
 * committed lies beyond it and need not be waited for. Without synchronous commits only the inserted position is.
 */
const POSITION = {
  name: 'wal_position',
  text: `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
                 ELSE pg_current_wal_flush_lsn() END)::text AS lsn,
                server.identity, known.identity AS known, known.origin::text AS origin
           FROM (${IDENTITY_SQL}) AS server LEFT JOIN wal_origin AS known ON true`,
};

const BEGIN_ORIGIN = `INSERT INTO wal_origin AS known (identity) VALUES ($1)
  ON CONFLICT (only_row) DO UPDATE SET identity = excluded.identity, origin = gen_random_uuid()
    WHERE known.identity <> excluded.identity`;

interface PositionRow {
  lsn: string;
  identity: string;
  known: string | null;
  origin: string | null;
}

/** Asks the primary over one connection, one statement at a time for all who want to know. */
export function createWalPositions({ url, applicationName, onIdleError }: WalPositionOptions): WalPositions {
  const connections = createConnections({
    name: applicationName,
    url,
    onIdleError,
    application_name: applicationName,
    max: 1,
    query_timeout: ANSWER_TIMEOUT_MS,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
  });

  async function ask(onSend: () => void): Promise<WalPosition> {
    const client = await connections.acquire();
    let failure: Error | undefined;
    try {
      onSend();
      return await readPosition(client);
    } catch (error) {
      // It may have become a standby, or be gone: the next one asks whoever takes writes then.
      failure = error as Error;
      connections.abandon(client);
      throw error;
    } finally {
      client.release(failure);
    }
  }

  /** On its way, and whether it was sent: a statement that was may have been answered before the caller's write. */
  let running: { answer: Promise<WalPosition>; isSent: boolean } | null = null;
  let following: Promise<WalPosition> | null = null;

  function start(): Promise<WalPosition> {
    const started = { answer: Promise.resolve(null as unknown as WalPosition), isSent: false };
    started.answer = ask(() => {
      started.isSent = true;
    }).finally(() => {
      if (running === started) running = null;
    });
    running = started;
    return started.answer;
  }

  return {
    current() {
      if (running === null) return start();
      if (!running.isSent) return running.answer;
      following ??= running.answer
        .catch(() => undefined)
        .then(() => {
          following = null;
          return start();
        });
      return following;
    },
    close: connections.close,
  };
}

async function readPosition(client: pg.PoolClient): Promise<WalPosition> {
  const read = async () => (await client.query<PositionRow>(POSITION)).rows[0]!;
  let row = await read();
  if (row.known !== row.identity) {
    await client.query(BEGIN_ORIGIN, [row.identity]);
    row = await read();
  }
  return { lsn: row.lsn, origin: row.origin! };
}

/** True on a replica that has replayed everything up to the position, on the same history. */
export function hasReplayed({ lsn, origin }: WalPosition): QueryConfig {
  return {
    name: 'wal_replayed',
    text: `SELECT coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn AND (SELECT origin FROM wal_origin) = $2::uuid, false) AS replayed`,
    values: [lsn, origin],
  };
}
