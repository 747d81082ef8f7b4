import { repeat } from '@cairn/background';
import type { JournalEntry } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import {
  type Database,
  IDENTITY_SQL,
  isOriginalServer,
  recordJournalPosition,
  readRestoreState,
  type RestoreState,
  type Tx,
  UNKNOWN_IDENTITY,
  type VerifyConnection,
  writeRestoreState,
} from '@cairn/postgres';
import type { Logger } from 'pino';
import type { BrokerSettings } from './broker-credentials.ts';
import { connectEventBus, type EventBus } from './connection.ts';
import { type JournalInfo, journalInfo, readJournal } from './journal.ts';

interface RestoreGuardOptions {
  /** Connected as the worker role, and not guarded itself. The caller closes it. */
  database: Database;
  broker: BrokerSettings;
  /** Name of the service. */
  name: string;
  logger: Logger;
  /**
   * Makes a decision true that this database may have forgotten; does nothing when it already is. Nothing is served from
   * the database meanwhile.
   */
  reapply: Reapply;
  /**
   * When the oldest of what could have been revoked or deleted was made; null when the database holds nothing of the
   * kind, as only a new installation's does.
   */
  oldestData: (tx: Tx) => Promise<Date | null>;
}

type Reapply = (entry: JournalEntry) => Promise<void>;

/** Keeps a service from serving a database that was restored until it knows again what was decided since. */
export interface RestoreGuard {
  /** For the pools of the service: refuses connections to a server whose state has not been brought up to date. */
  verify: VerifyConnection;
  /**
   * Reads on in the journal from time to time, while the database is served. `reapply` is for decisions that this database
   * has forgotten nevertheless, such as a copy of a disk; consumers of the old state must be informed.
   */
  follow(reapply: Reapply): { close(): Promise<void> };
  close(): Promise<void>;
}

const RETRY_MS = 1_000;
const FOLLOW_EVERY_MS = 600_000;
/** A state that has not yet named its journal cannot be restored, so a broker that is late is tried again soon. */
const FOLLOW_RETRY_MS = 10_000;
/** After so many entries the position is recorded, so that a start that is given up does not begin from the first again. */
const NOTE_EVERY = 200;

/**
 * Resolves when the database may be served. The server that it was last served from, or a new database, needs nothing
 * else. Any other server was restored or failed over: then the journal's entries since the recorded position are
 * applied first, for as long as it takes to reach the broker. Where it cannot be shown that the journal holds all of
 * them, because it was lost or the restored state names none, the operator has to decide.
 */
export async function startRestoreGuard(options: RestoreGuardOptions): Promise<RestoreGuard> {
  let closed = false;
  let served = '';
  let checking: Promise<void> | null = null;
  const check = async () => {
    while (!closed) {
      const outcome = await bringUpToDate(options).catch((error: unknown) => {
        options.logger.warn({ err: error }, 'restore guard: the database cannot be served yet; retrying');
        return null;
      });
      if (outcome !== null) {
        served = outcome;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  const startCheck = () => {
    checking ??= check().finally(() => {
      checking = null;
    });
    return checking;
  };
  await startCheck();
  return {
    async verify(query) {
      const identity = (await query(IDENTITY_SQL))[0]?.['identity'];
      if (identity === served && checking === null) return;
      // Not awaited: callers get an answer at once, and the next connection finds the database served, or not yet.
      void startCheck();
      throw new CairnError('unavailable', 'The service is being brought up to date after a restore.', {
        internal: `the database server is ${String(identity)}, and ${served} was being served`,
      });
    },
    follow(reapply) {
      let dueMs = 0;
      return repeat(
        FOLLOW_RETRY_MS,
        async () => {
          if (performance.now() < dueMs) return;
          await withBus(options, (bus) => follow({ ...options, reapply }, bus));
          dueMs = performance.now() + FOLLOW_EVERY_MS;
        },
        (error) => options.logger.warn({ err: error }, 'restore guard: reading the journal failed; retrying'),
      );
    },
    async close() {
      closed = true;
      await checking;
    },
  };
}

/** The identity that may be served from now on; throws when it cannot be said yet. */
async function bringUpToDate(options: RestoreGuardOptions): Promise<string> {
  const { database, logger } = options;
  const { identity, state: recorded } = await readRestoreState(database);
  if (recorded?.databaseIdentity === identity) return identity;
  const state = recorded ?? NO_RECORD;
  const serve = () => writeRestoreState(database, { databaseIdentity: identity, journal: '', position: 0 });
  const oldest = state.journal === '' ? await database.transaction(options.oldestData) : undefined;
  if (oldest === null) {
    await serve();
    return identity;
  }
  logger.warn(
    { from: state.databaseIdentity, to: identity },
    'restore guard: the database was restored, failed over or is older than the journal; applying the decisions made since',
  );
  if (state.acceptedIdentity === identity) {
    logger.warn('restore guard: the operator accepted that decisions are lost');
    await serve();
    return identity;
  }
  // It was upgraded from a release that kept no record, so nothing has been forgotten.
  const isUpgraded = recorded === null && isOriginalServer(identity, oldest!);
  await withBus(options, async (bus) => {
    const known = await journalInfo(bus);
    const lost = isUpgraded ? null : whyIncomplete(state, known);
    if (lost !== null)
      throw new Error(
        `${lost}, so the revocations and deletions made after the restored state cannot all be applied; ` +
          'run `cairn operator restore accept-lost`, if need be with --revoke-all-credentials',
      );
    const { journal } = known;
    const applied = await applyFrom(options, bus, state.position, (position) =>
      recordJournalPosition(database, { databaseIdentity: state.databaseIdentity, journal, position }),
    );
    await writeRestoreState(database, { databaseIdentity: identity, journal, position: applied.position });
    logger.warn({ entries: applied.entries }, 'restore guard: all decisions are applied; serving again');
  });
  return identity;
}

/** What a database has that was never served by a release that records it. */
const NO_RECORD: RestoreState = {
  databaseIdentity: UNKNOWN_IDENTITY,
  journal: '',
  position: 0,
  acceptedIdentity: null,
};

/** Why entries that the state lacks may be missing from the journal; null when all of them are there. */
function whyIncomplete({ journal, position }: RestoreState, now: JournalInfo): string | null {
  if (journal === '') return 'the restored state does not say which journal it belongs to';
  if (journal !== now.journal || now.last < position) return 'the journal was lost';
  if (now.first > position + 1) return 'the journal no longer reaches back to the restored state';
  return null;
}

/** Notes how far the journal is, and which one it is; what it says is in the database already. */
async function follow(options: RestoreGuardOptions, bus: EventBus): Promise<void> {
  const { identity, state } = await readRestoreState(options.database);
  // Another process sees the change, too, and needs the position from before it.
  if (state === null || state.databaseIdentity !== identity) return;
  const { journal } = await journalInfo(bus);
  const known = state.journal === journal ? state.position : 0;
  const note = (position: number) =>
    recordJournalPosition(options.database, { databaseIdentity: identity, journal, position });
  const { position } = await applyFrom(options, bus, known, note);
  await writeRestoreState(options.database, { databaseIdentity: identity, journal, position });
}

async function applyFrom(
  options: RestoreGuardOptions,
  bus: EventBus,
  after: number,
  note: (position: number) => Promise<void>,
): Promise<{ position: number; entries: number }> {
  let position = after;
  let entries = 0;
  for await (const read of readJournal(bus, after)) {
    await options.reapply(read.entry);
    position = read.position;
    entries += 1;
    if (entries % NOTE_EVERY === 0) await note(position);
  }
  return { position, entries };
}

async function withBus<T>(options: RestoreGuardOptions, work: (bus: EventBus) => Promise<T>): Promise<T> {
  const bus = await connectEventBus({ ...options.broker, name: options.name });
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}
