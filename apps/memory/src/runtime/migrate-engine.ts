import { CairnError, validationFailed } from '@cairn/errors';
import { isConnectionFailure, migrate } from '@cairn/postgres';
import { isPostgresUrl } from './engine-directory.ts';

/** Brings the memory schema on a server up to date; what is up to date stays as it is. The URL is its owner's. */
export async function migrateEngine(ownerUrl: string, migrations: readonly string[]): Promise<void> {
  if (!isPostgresUrl(ownerUrl)) throw validationFailed([{ path: 'owner_url', message: 'must be a postgres:// URL' }]);
  try {
    await migrate({ ownerUrl, schema: 'memory', directories: [...migrations] });
  } catch (error) {
    if (!isConnectionFailure(error)) throw error;
    throw new CairnError('unavailable', 'The engine cannot be reached right now.', { cause: error });
  }
}
