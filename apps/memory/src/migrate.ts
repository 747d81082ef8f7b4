// Loaded by its path, as every service's: the command line migrates all schemas before the services start.
export { migrateSchema } from './runtime/migrate-schema.ts';
