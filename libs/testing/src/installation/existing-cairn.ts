import { readFile } from 'node:fs/promises';
import { accessOf } from './cairn-access.ts';
import { composeCairn } from './compose-cairn.ts';
import type { ComposeAccess } from './compose-project.ts';
import type { RunningCairn } from './running-cairn.ts';

/**
 * Names a file with the credentials of an installation that already runs; specs then use that one. With `compose` in
 * it, its containers can be reached too; otherwise nothing but HTTP.
 */
export const INSTALLATION_VARIABLE = 'CAIRN_TEST_INSTALLATION';

type Credentials = Record<string, string> & { compose?: ComposeAccess };

/** An installation that somebody else started. Throws when a spec wants settings that it cannot be given. */
export async function existingCairn(
  credentialsFile: string,
  wanted: { dataDir?: string; args?: string[]; env?: Record<string, string> },
): Promise<RunningCairn> {
  const { compose, ...rest } = JSON.parse(await readFile(credentialsFile, 'utf8')) as Credentials;
  const credentials = rest as Record<string, string>;
  if (compose !== undefined) return composeCairn(credentials, compose, wanted);
  if (Object.keys(wanted).length > 0)
    throw new Error(`the spec needs its own settings, but the installation in ${INSTALLATION_VARIABLE} already runs`);
  const unreachable = (what: string): never => {
    throw new Error(`a spec cannot reach ${what} of the installation in ${INSTALLATION_VARIABLE}`);
  };
  return {
    embedded: false,
    ...accessOf(credentials),
    get hostAddress() {
      return unreachable('the network');
    },
    get dataDir() {
      return unreachable('the data folder');
    },
    get pid() {
      return unreachable('the processes');
    },
    databaseUrl: async () => unreachable('the database'),
    eventsUrl: async () => unreachable('the broker'),
    environmentOf: async () => unreachable('the processes'),
    moduleOf: async () => unreachable('the processes'),
    ownedSecrets: async () => unreachable('the secrets'),
    kill: async () => unreachable('the processes'),
    without: async () => unreachable('the processes'),
    processes: async () => unreachable('the processes'),
    files: async () => unreachable('the data'),
    output: () => unreachable('the output'),
    stop: async () => unreachable('the processes'),
    kill9: async () => unreachable('the processes'),
    // Whoever started it removes it.
    remove: async () => undefined,
  };
}
