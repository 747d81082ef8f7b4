import type { Database, SnapshotReads, Tx } from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import type { ClosedVaults } from './closed-scopes.ts';
import type { ManagedSearch } from './managed-search.ts';
import type { TargetMemory } from './memory-scope.ts';

/** An engine as a whole, for work that is not about one memory of one request. */
export interface EngineDeps {
  database: Database;
  index: SearchIndex;
}

/** With its background role, which sees the rows of all tenants. */
export interface WholeEngine extends EngineDeps {
  /** Where requests read, its replicas included. */
  reads: SnapshotReads;
  workerDatabase: Database;
  /** Null without a search engine beside PostgreSQL. */
  search: ManagedSearch | null;
}

/** A memory in one transaction of its tenant, on the server that holds it. */
export interface OpenMemory {
  tx: Tx;
  index: SearchIndex;
  closedVaults: ClosedVaults;
}

/**
 * The way to memories' data. Operations get this and no database, so that none can read the wrong server or a
 * memory that was closed. Throws `unavailable` when the memory's server cannot be reached, which is no other
 * memory's concern.
 */
export interface Engines {
  /** Runs `work` in one snapshot of the memory; `not_found` when it was closed. */
  read<T>(memory: TargetMemory, work: (open: OpenMemory) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction, before whose end the memory cannot be closed; `not_found` when it was. */
  write<T>(memory: TargetMemory, work: (open: OpenMemory) => Promise<T>): Promise<T>;
  /** Runs `work` in a snapshot of what a tenant has on one engine, over all its memories, closed ones included. */
  readTenant<T>(engineId: string, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
}
