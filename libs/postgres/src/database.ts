import { CairnError } from '@cairn/errors';
import type { Knex } from 'knex';
import knex from 'knex';
import pg from 'pg';
import { commitRecordFor, setTenant } from './commit-record.ts';
import { type Connections, createConnections } from './connections.ts';
import type { Database, QueryConfig, TransactionOptions, Tx } from './tx.ts';
import { connectClient, READ_ONLY_SERVER } from './server-hosts.ts';
import { observeStatement } from './observe-database.ts';
import { createTenantSlots, type TenantSlots } from './tenant-slots.ts';

interface DatabaseOptions {
  /** postgres:// URL of a role that row-level security binds; of several hosts, the one that takes writes is used. */
  url: string;
  /** Name the server shows for our connections. */
  applicationName: string;
  poolMax: number;
  /** Longest a single statement may run. */
  statementTimeoutMs?: number;
  /** How much longer than that an answer is waited for, before the server is taken to be gone. */
  silentAfterMs?: number;
  /** Longest a caller waits for a free connection before `unavailable`. */
  acquireTimeoutMs?: number;
  /** Called with every new connection; what it throws refuses the connection. */
  verify?: VerifyConnection | undefined;
  /** Called for connections that broke while idle; the pool replaces them. */
  onIdleError?: (error: Error) => void;
}

/** Looks at a new connection through a function that runs SQL on it. */
export type VerifyConnection = (query: (sql: string) => Promise<Record<string, unknown>[]>) => Promise<void>;

/** Builds SQL without a connection; run it with `tx.run`. */
export const sqlBuilder: Knex = knex({ client: 'pg' });

const DEFAULT_STATEMENT_TIMEOUT_MS = 30_000;
const DEFAULT_SILENT_AFTER_MS = 10_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const DEFAULT_ACQUIRE_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
/** What one tenant may hold of a pool; the rest is there for the others. */
const TENANT_SHARE = 0.4;
const TENANT_CONNECTIONS_MIN = 2;
/** Transactions of one tenant that wait for one of its connections. */
const TENANT_WAITING_MAX = 256;
/** How many times longer a transaction waits in its tenant's own line than for a connection that others hold. */
const TENANT_PATIENCE = 3;

// bigint columns here are counters and sequence numbers far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, (value) => Number(value));

export function createDatabase(options: DatabaseOptions): Database {
  const connections = connectionsOf(options);
  const slots = slotsOf(options);
  const acquire = () =>
    connections.acquire().catch((error: unknown) => {
      throw unavailable(error);
    });

  async function transaction<T>(
    { mode, admit }: TransactionOptions,
    tenant: readonly string[],
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const client = await acquire();
    let broken: Error | undefined;
    const statements: Statements = { open: true, failure: undefined };
    const onError = (error: Error) => {
      broken = error;
    };
    // A checked-out client that loses its server emits `error`; without a listener the process would die.
    client.on('error', onError);
    try {
      await admit?.(async (statement) => (await client.query(statement)).rows as never);
      const begun = beginOn(client, mode, tenant);
      // What only reads may follow at once; what writes must not, as without a BEGIN it would be kept piece by piece.
      if (mode !== 'snapshot') await begun;
      const tx = txOver(client, statements);
      const [started, worked] = await Promise.allSettled([begun, (async () => work(tx))()]);
      statements.open = false;
      if (started.status === 'rejected') throw started.reason;
      if (worked.status === 'rejected') throw causeOf(worked.reason, statements);
      const note = mode === 'snapshot' ? undefined : commitRecordFor(tenant);
      const isNoted = await note?.writeTo(txOver(client, { open: true, failure: undefined }));
      const ended = await client.query('COMMIT');
      // A statement failed and `work` went on all the same: PostgreSQL answers COMMIT with ROLLBACK and keeps nothing.
      if (ended.command !== 'COMMIT')
        throw new Error('a statement of the transaction failed, so nothing of it was kept');
      if (isNoted === true) note!.committedIn = database;
      return worked.value;
    } catch (error) {
      if (isSilence(error)) broken ??= error as Error;
      const lost = broken !== undefined;
      if (lost) connections.broke();
      else
        await client.query('ROLLBACK').catch((rollbackError: Error) => {
          broken = rollbackError;
        });
      if (isUnusable(error, mode)) {
        connections.abandon(client);
        broken ??= error as Error;
      }
      if (error instanceof CairnError) throw error;
      throw lost || isConnectionFailure(error) || isUnusable(error, mode) || isExhausted(error)
        ? unavailable(error)
        : error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  const database: Database = {
    withTenant: (tenantId, work, txOptions = {}) =>
      slots.within(tenantId, () => transaction(txOptions, [tenantId], work)),
    transaction: (work, txOptions = {}) => transaction(txOptions, [], work),
    ping: async () => ping(await acquire()),
    listen: (channel, onNotify) => listenOn(options, channel, onNotify),
    close: connections.close,
  };
  return database;
}

async function ping(client: pg.PoolClient): Promise<void> {
  const failure = await client.query('SELECT 1').then(() => undefined, unavailable);
  client.release(failure);
  if (failure !== undefined) throw failure;
}

function connectionsOf(options: DatabaseOptions): Connections {
  const { statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS, silentAfterMs = DEFAULT_SILENT_AFTER_MS } = options;
  return createConnections({
    name: options.applicationName,
    url: options.url,
    onIdleError: (error) => options.onIdleError?.(error),
    application_name: options.applicationName,
    max: options.poolMax,
    statement_timeout: statementTimeoutMs,
    // A host that vanished answers nothing, not even that the statement took too long; TCP would wait for many minutes.
    query_timeout: statementTimeoutMs + silentAfterMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: options.acquireTimeoutMs ?? DEFAULT_ACQUIRE_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    allowExitOnIdle: true,
    // Statements that are sent together wait for one round trip.
    pipeline: true,
    ...verification(options.verify),
  });
}

/** The pool's own hook, which a new connection passes before anybody gets it. */
function verification(verify: VerifyConnection | undefined) {
  if (verify === undefined) return {};
  return {
    verify(client: pg.PoolClient, done: (error?: Error) => void) {
      verify(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows).then(() => done(), done);
    },
  };
}

function slotsOf({ poolMax, acquireTimeoutMs }: DatabaseOptions): TenantSlots {
  return createTenantSlots({
    perTenantMax: Math.max(TENANT_CONNECTIONS_MIN, Math.floor(poolMax * TENANT_SHARE)),
    waitingMax: TENANT_WAITING_MAX,
    waitMaxMs: TENANT_PATIENCE * (acquireTimeoutMs ?? DEFAULT_ACQUIRE_TIMEOUT_MS),
  });
}

async function beginOn(
  client: pg.PoolClient,
  mode: TransactionOptions['mode'],
  tenant: readonly string[],
): Promise<void> {
  const begin = client.query(mode === 'snapshot' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN');
  const named = tenant.map((id) => client.query(setTenant(id)));
  await Promise.all([begin, ...named]);
}

/** What is known of a transaction's statements. */
interface Statements {
  open: boolean;
  /** Of the first one that failed. */
  failure: unknown;
}

/** Takes statements while the transaction is open: what one part of the work still does when another one failed ends there. */
function txOver(client: pg.PoolClient, statements: Statements): Tx {
  const send = async (text: string | QueryConfig, values?: unknown[]) => {
    if (!statements.open) throw new Error('the transaction has ended');
    const config =
      typeof text === 'string' ? { text, values: values ?? [] } : { ...text, values: text.values ?? values ?? [] };
    return observeStatement(config, () => client.query(config)).catch((error: unknown) => {
      statements.failure ??= error;
      throw error;
    });
  };
  return {
    async query<Row extends object>(text: string | QueryConfig, values?: unknown[]) {
      return (await send(text, values)).rows as Row[];
    },
    async execute(text, values) {
      return (await send(text, values)).rowCount ?? 0;
    },
    async run<Row extends object>(builder: Knex.QueryBuilder) {
      const native = builder.toSQL().toNative();
      return (await send(native.sql, [...native.bindings])).rows as Row[];
    },
  };
}

/** Statements that were sent together with one that failed only fail because of it; the caller gets that one. */
function causeOf(reason: unknown, { failure }: Statements): unknown {
  const isFollowing = sqlState(reason) === IN_FAILED_TRANSACTION && failure !== undefined;
  return isFollowing ? failure : reason;
}

const IN_FAILED_TRANSACTION = '25P02';

const RECONNECT_DELAY_MS = 500;

async function listenOn(options: DatabaseOptions, channel: string, onNotify: (payload: string) => void) {
  let closed = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = await connectClient(options.url, {
      application_name: `${options.applicationName}:listen`,
      connectionTimeoutMillis: options.acquireTimeoutMs ?? DEFAULT_ACQUIRE_TIMEOUT_MS,
      keepAlive: true,
    });
    client = next;
    next.on('notification', (message) => onNotify(message.payload ?? ''));
    try {
      await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      next.end().catch(() => undefined);
      throw error;
    }
    if (closed) await next.end();
    // Only now: an attempt that fails ends too, and must not be repeated twice.
    else next.once('end', retry);
  };
  const retry = () => {
    if (closed) return;
    timer = setTimeout(() => {
      connect().then(() => {
        if (!closed) onNotify('');
      }, retry);
    }, RECONNECT_DELAY_MS);
  };
  await connect().catch(retry);
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

function unavailable(cause: unknown): CairnError {
  return new CairnError('unavailable', 'The database cannot be reached right now.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: cause instanceof Error ? cause.message : String(cause),
  });
}

/** Elections of a primary take 5 to 20 seconds; a shorter answer costs only another refusal. */
const RETRY_AFTER_SECONDS = 2;

/** The server is no primary any more, shuts down or starts, is silent, or was migrated: its connections are of no use. */
function isUnusable(error: unknown, mode: TransactionOptions['mode']): boolean {
  const state = sqlState(error);
  // A write in a snapshot is a mistake of the caller and says nothing about the server.
  if (state === READ_ONLY_SERVER) return mode !== 'snapshot';
  return (state !== undefined && SHUTDOWN_STATES.test(state)) || isStalePlan(error) || isSilence(error);
}

/** A migration changed a table whose statement this connection had prepared: new connections prepare it again. */
function isStalePlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.startsWith('cached plan must not change result type');
}

/** The server has no room left on its disk or in its memory: it may have later, and nothing is wrong with the statement. */
function isExhausted(error: unknown): boolean {
  return EXHAUSTED_STATES.has(sqlState(error) ?? '');
}

/** disk_full, out_of_memory. */
const EXHAUSTED_STATES: ReadonlySet<string> = new Set(['53100', '53200']);

/** admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout. */
const SHUTDOWN_STATES = /^57P0[1-5]$/;

const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);

/** True when the server went away or refused, as opposed to a statement that failed. */
export function isConnectionFailure(error: unknown): boolean {
  // What the system throws may be of another realm's Error.
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') {
    // Class 08: connection exceptions; 53300: no free connection.
    return CONNECTION_CODES.has(code) || code.startsWith('08') || SHUTDOWN_STATES.test(code) || code === '53300';
  }
  return /Connection terminated|timeout exceeded when trying to connect/i.test(String(message));
}

/** The driver gave up waiting for the server's answer. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** The SQLSTATE of a failed statement, e.g. `23505`. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The constraint a failed statement broke. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}
