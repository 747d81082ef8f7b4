export { deletePostgresData } from './delete-postgres-data.ts';
export { EmbeddedStartError } from './embedded-start-error.ts';
export { natsUserEntry } from './nats-config.ts';
export { describePortOwner } from './port-owner.ts';
export { findFreePort } from './ports.ts';
export { startNats, type EmbeddedNats, type StartNatsOptions } from './start-nats.ts';
export { startPostgres, type EmbeddedPostgres, type StartPostgresOptions } from './start-postgres.ts';
export { stopPostgres } from './stop-postgres.ts';
export { acquireStartLock } from './start-lock.ts';
