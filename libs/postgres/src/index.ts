export { brokenConstraint, createDatabase, isConnectionFailure, sqlBuilder, sqlState } from './database.ts';
export type { Database, DatabaseOptions, QueryConfig, TransactionOptions, Tx } from './database.ts';
export { FOUNDATION_MIGRATIONS } from './foundation.ts';
export {
  canonicalJson,
  eraseAnswersNaming,
  eraseStoredAnswers,
  idempotent,
  IDEMPOTENCY_KEEP_HOURS,
} from './idempotency.ts';
export type { IdempotencyCaller, IdempotencyOptions, StoredAnswer } from './idempotency.ts';
export { migrate, requireMigrated } from './migrate.ts';
export type { MigrateOptions, RequireMigratedOptions } from './migrate.ts';
export { appendAllToOutbox, appendToOutbox, eraseFromOutbox, startOutboxRelay } from './outbox.ts';
export type { OutboxMessage, RelayOptions } from './outbox.ts';
export { nextCursorOf, pageOf } from './paging.ts';
export type { Page } from './paging.ts';
export { generateRolePasswords, provisionService } from './provision.ts';
export type { ProvisionOptions, RolePasswords, ServiceRoles } from './provision.ts';
export { startSweeper, sweepExpired } from './sweeper.ts';
