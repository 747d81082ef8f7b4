export { CommitRecord, withoutCommitRecord } from './commit-record.ts';
export { brokenConstraint, createDatabase, isConnectionFailure, sqlBuilder, sqlState } from './database.ts';
export type { VerifyConnection } from './database.ts';
export type { Database, TransactionOptions, Tx } from './tx.ts';
export { FOUNDATION_MIGRATIONS } from './foundation.ts';
export {
  canonicalJson,
  eraseResponsesNaming,
  eraseResponsesOf,
  eraseStoredResponses,
  idempotent,
} from './idempotency.ts';
export type { IdempotencyCaller, StoredResponse } from './idempotency.ts';
export { migrate, requireMigrated } from './migrate.ts';
export { appendAllToOutbox, appendToOutbox, eraseFromOutbox, startOutboxRelay } from './outbox.ts';
export type { OutboxMessage } from './outbox.ts';
export { escapeLike, likePattern } from './like.ts';
export { nextCursorOf, pageOf } from './paging.ts';
export type { Page } from './paging.ts';
export { eraseStoredEvents, publishedSince, replayPublished } from './published-events.ts';
export type { PublishedBetween } from './published-events.ts';
export {
  bindPolicies,
  generateRolePasswords,
  provisionService,
  removeDatabase,
  rolesWithOtherPasswords,
} from './provision.ts';
export { installPgvector } from './pgvector.ts';
export type { RolePasswords, ServiceRoles } from './provision.ts';
export {
  IDENTITY_SQL,
  isOriginalServer,
  recordJournalPosition,
  readRestoreState,
  type RestoreState,
  UNKNOWN_IDENTITY,
  writeRestoreState,
} from './restore-state.ts';
export { pgvectorTooOld, postgresTooOld } from './server-version.ts';
export { createServiceDatabases, logIdleErrors } from './service-databases.ts';
export { createSnapshotReads, type SnapshotReads } from './snapshot-reads.ts';
export { startSweeper, sweepExpired } from './sweeper.ts';
export { createTombstones, type TombstoneScope } from './tombstones.ts';
