import { setTimeout as sleep } from 'node:timers/promises';
import { CairnError } from '@cairn/errors';
import { counter } from '@cairn/telemetry';
import { isPoolFull } from './connections.ts';
import { createDatabase } from './database.ts';
import { urlsOf } from './server-hosts.ts';
import type { AdmissionQuery, Database, Tx } from './tx.ts';
import { createWalPositions, hasReplayed, type WalPosition } from './wal-position.ts';

const reads = counter(
  'cairn_db_replica_reads_total',
  'Snapshots of a pool that may be read from a replica, by where they were and, if on the primary, why.',
  ['pool', 'outcome'],
);

/** Where snapshots of tenants are read. */
export interface SnapshotReads {
  /** Runs `work` in a snapshot that contains every commit that was acknowledged before the call. `work` may run twice. */
  withTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface SnapshotReadsOptions {
  primary: Database;
  /** Of the primary, as the role that serves requests. */
  primaryUrl: string;
  /** Of its streaming replicas, as the same role, each host being one; none: everything is read from the primary. */
  replicaUrls: readonly string[];
  applicationName: string;
  /** Connections to each replica. */
  poolMax: number;
  onIdleError: (error: Error) => void;
}

/** Longest a read waits for a replica to replay what was committed before it. */
const REPLAY_WAIT_MS = 25;
/** A replica that was behind, or failed, is tried again by one read after this time; the others do not wait for it. */
const BEHIND_COOLDOWN_MS = 200;
const FAILED_COOLDOWN_MS = 1_000;
/** A replica that answers slower than this is left for the primary. */
const ACQUIRE_TIMEOUT_MS = 1_000;
const ADMISSION_TIMEOUT_MS = 500;
const STATEMENT_TIMEOUT_MS = 5_000;
const SILENT_AFTER_MS = 1_000;

/**
 * Reads from streaming replicas, never anything older than what was committed when the read began: the primary is asked
 * how far its log has come, one statement for all reads that begin at once, and a replica serves the read only when it has
 * replayed that far. This holds for writes of other processes too, and for deletions and closed scopes, without a record
 * of who wrote what. One that is behind or down costs no error: the primary is read.
 */
export function createSnapshotReads(options: SnapshotReadsOptions): SnapshotReads {
  const { primary, applicationName } = options;
  if (options.replicaUrls.length === 0)
    return { withTenant: (tenantId, work) => readPrimary(primary, tenantId, work), close: async () => undefined };
  const positions = createWalPositions({
    url: options.primaryUrl,
    applicationName: `${applicationName}-position`,
    onIdleError: options.onIdleError,
  });
  const replicas = options.replicaUrls.flatMap(urlsOf).map((url) => openReplica(url, options));
  const count = (outcome: string) => reads.inc({ pool: applicationName, outcome });
  let turn = 0;

  function choose(): Replica | null {
    turn = (turn + 1) % replicas.length;
    return [...replicas.slice(turn), ...replicas.slice(0, turn)].find((replica) => replica.take()) ?? null;
  }

  return {
    async withTenant(tenantId, work) {
      const replica = choose();
      if (replica === null) {
        count('primary_resting');
        return readPrimary(primary, tenantId, work);
      }
      const read = await readReplica(replica, await positions.current().catch(() => null), { tenantId, work });
      count(read.outcome);
      return read.outcome === 'replica' ? read.value : readPrimary(primary, tenantId, work);
    },
    async close() {
      await Promise.all([positions.close(), ...replicas.map(({ database }) => database.close())]);
    },
  };
}

function readPrimary<T>(primary: Database, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return primary.withTenant(tenantId, work, { mode: 'snapshot' });
}

interface Replica {
  database: Database;
  /** Whether a read may try it now. */
  take(): boolean;
  served(): void;
  coolDownFor(ms: number): void;
}

function openReplica(url: string, options: SnapshotReadsOptions): Replica {
  const database = createDatabase({
    url,
    applicationName: `${options.applicationName}-replica`,
    poolMax: options.poolMax,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    silentAfterMs: SILENT_AFTER_MS,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    onIdleError: options.onIdleError,
  });
  /** Null while it serves. */
  let coolsDownUntilMs: number | null = null;
  return {
    database,
    take() {
      if (coolsDownUntilMs === null) return true;
      const now = performance.now();
      if (now < coolsDownUntilMs) return false;
      // Only this one tries; whoever comes in the meantime does not wait with it.
      coolsDownUntilMs = now + FAILED_COOLDOWN_MS;
      return true;
    },
    served() {
      coolsDownUntilMs = null;
    },
    coolDownFor(ms) {
      coolsDownUntilMs = performance.now() + ms;
    },
  };
}

type ReplicaRead<T> = { outcome: 'replica'; value: T } | { outcome: 'primary_behind' | 'primary_failed' };

/** Throws only what the work means to say. */
async function readReplica<T>(
  replica: Replica,
  position: WalPosition | null,
  { tenantId, work }: { tenantId: string; work: (tx: Tx) => Promise<T> },
): Promise<ReplicaRead<T>> {
  if (position === null) return { outcome: 'primary_failed' };
  let refusal: CairnError | null = null;
  let isAdmitted = false;
  try {
    const value = await replica.database.withTenant(
      tenantId,
      async (tx) => {
        isAdmitted = true;
        replica.served();
        return work(tx).catch((error: unknown) => {
          if (error instanceof CairnError) refusal = error;
          throw error;
        });
      },
      { mode: 'snapshot', admit: (query) => replayed(query, position) },
    );
    return { outcome: 'replica', value };
  } catch (error) {
    // What was found in the snapshot, such as that there is no such document, would be found on the primary too.
    if (refusal !== null) throw refusal;
    if (error instanceof BehindError) {
      replica.coolDownFor(BEHIND_COOLDOWN_MS);
      return { outcome: 'primary_behind' };
    }
    // Whatever else it is: a read may be repeated, and a mistake shows itself on the primary.
    if (!isBusy(error) && (!isAdmitted || error instanceof CairnError)) replica.coolDownFor(FAILED_COOLDOWN_MS);
    return { outcome: 'primary_failed' };
  }
}

/** Too many reads wait for a connection, or too many of the tenant: nothing is wrong with the replica. */
function isBusy(error: unknown): boolean {
  return error instanceof CairnError && (error.cause === undefined || isPoolFull(error.cause));
}

class BehindError extends Error {}

/** Before the snapshot is taken, and on its connection: a server that was restarted has replayed less than it had. */
async function replayed(query: AdmissionQuery, position: WalPosition): Promise<void> {
  const deadline = performance.now() + REPLAY_WAIT_MS;
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const [state] = await query<{ replayed: boolean }>({
      ...hasReplayed(position),
      query_timeout: ADMISSION_TIMEOUT_MS,
    });
    if (state?.replayed === true) return;
    if (performance.now() + pauseMs > deadline) throw new BehindError();
    await sleep(pauseMs);
  }
}
