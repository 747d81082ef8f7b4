import { join } from 'node:path';
import { LEDGER_MIGRATIONS } from './ledger/ledger-migrations.ts';
import { FOUNDATION_MIGRATIONS, migrate } from '@cairn/postgres';

export const MIGRATIONS: string[] = [FOUNDATION_MIGRATIONS, LEDGER_MIGRATIONS, join(import.meta.dirname, 'migrations')];

/** Brings the schema up to date as its owner, and returns the names of the migrations applied. */
export function migrateSchema({ databaseOwnerUrl }: { databaseOwnerUrl: string }): Promise<string[]> {
  return migrate({ ownerUrl: databaseOwnerUrl, schema: 'research', directories: MIGRATIONS });
}
