import { FOUNDATION_MIGRATIONS } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { LEDGER_MIGRATIONS } from '../../src/ledger/ledger-migrations.ts';

export const SCHEMA = 'ledgertest';

/** A database with the ledger's tables only. */
export function ledgerDatabase(): Promise<TestDatabase> {
  return createTestDatabase({ service: SCHEMA, migrations: [FOUNDATION_MIGRATIONS, LEDGER_MIGRATIONS] });
}
