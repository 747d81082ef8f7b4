import { join } from 'node:path';

/** Where a file of the repository lies. */
export function inRepository(path: string): string {
  return join(import.meta.dirname, '..', '..', '..', '..', path);
}
