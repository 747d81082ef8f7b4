import { join } from 'node:path';

/** Migrations that every service's schema starts with; goes first in `migrate({ directories })`. */
export const FOUNDATION_MIGRATIONS: string = join(import.meta.dirname, '..', 'migrations');
