import { join } from 'node:path';

/** Folder of the ledger's tables, for the list that `migrate` is given; after the foundation's. */
export const LEDGER_MIGRATIONS: string = join(import.meta.dirname, '..', 'migrations');
