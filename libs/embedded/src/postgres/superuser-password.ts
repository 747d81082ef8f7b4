import { join } from 'node:path';
import { EmbeddedStartError } from '../embedded-start-error.ts';
import { randomPassword, readFileIfThere, writePrivateFile } from '../files/private-file.ts';

/** The password kept in the data folder; made before the cluster is, so that no cluster exists without it. */
export async function superuserPassword(dataDir: string, dataDirectory: string): Promise<string> {
  const path = join(dataDir, 'superuser-password');
  const known = (await readFileIfThere(path))?.trim();
  if (known !== undefined && known !== '') return known;
  if ((await readFileIfThere(join(dataDirectory, 'PG_VERSION'))) !== null) {
    throw new EmbeddedStartError(
      'start_failed',
      `${path} is missing, without it nobody can log in to the cluster in ${dataDirectory}.`,
      'Restore that file from a back-up, or start with an empty data folder.',
    );
  }
  const password = randomPassword();
  await writePrivateFile(path, `${password}\n`);
  return password;
}
