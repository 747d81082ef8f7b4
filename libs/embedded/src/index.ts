export { deletePostgresData, type DeletePostgresDataOptions } from './delete-postgres-data.ts';
export { EmbeddedStartError, type EmbeddedStartErrorCode } from './embedded-start-error.ts';
export { natsUserEntry, type NatsUser } from './nats-config.ts';
export { describePortOwner } from './port-owner.ts';
export { findFreePort } from './ports.ts';
export { startNats, type EmbeddedNats, type StartNatsOptions } from './start-nats.ts';
export { startPostgres, type EmbeddedPostgres, type StartPostgresOptions } from './start-postgres.ts';
export { stopPostgres, type StopMode, type StopPostgresOptions } from './stop-postgres.ts';
export { acquireStartLock, type StartLock } from './start-lock.ts';
