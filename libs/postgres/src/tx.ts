import type { Knex } from 'knex';

export interface QueryConfig {
  text: string;
  values?: unknown[];
  /** Names the statement, so that the server parses it once per connection. */
  name?: string;
}

/** One open transaction (or snapshot). Everything that must be true together goes through one of these. */
export interface Tx {
  /** Runs SQL with `$1…` parameters and returns the rows. */
  query<Row extends object = Record<string, unknown>>(text: string | QueryConfig, values?: unknown[]): Promise<Row[]>;
  /** Runs SQL and returns the number of affected rows. */
  execute(text: string | QueryConfig, values?: unknown[]): Promise<number>;
  /** Runs what knex built; for statements whose shape depends on the request (filters, paging). */
  run<Row extends object = Record<string, unknown>>(builder: Knex.QueryBuilder): Promise<Row[]>;
}

export interface TransactionOptions {
  /** `snapshot` is REPEATABLE READ, READ ONLY: every statement sees the same committed state. */
  mode?: 'read-write' | 'snapshot';
  /** Looks at the connection before the transaction begins on it; what it throws ends the transaction. */
  admit?: (query: AdmissionQuery) => Promise<void>;
}

/** Runs one statement outside of any transaction. An answer that takes longer than `query_timeout` fails it. */
export type AdmissionQuery = <Row extends object>(statement: QueryConfig & { query_timeout: number }) => Promise<Row[]>;

export interface Database {
  /**
   * Runs `work` in one transaction under the tenant: row-level security shows and takes only its rows. One tenant holds
   * at most two fifths of the pool at a time; further transactions wait, and are refused as `unavailable` in the end.
   */
  withTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs `work` in one transaction without a tenant: tenant tables are empty for it, unless the role has a policy of its own. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** One round trip, or throws `unavailable`. */
  ping(): Promise<void>;
  /** Holds one connection to LISTEN; reconnects after a break and calls `onNotify('')` then, as something may have been missed. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}
