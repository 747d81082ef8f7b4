import { join } from 'node:path';

/** Directory of the ledger's migrations, to be applied after the foundation's. */
export const LEDGER_MIGRATIONS: string = join(import.meta.dirname, 'migrations');
