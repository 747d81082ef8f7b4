import { readFile } from 'node:fs/promises';
import type { RunningCairn } from './running-cairn.ts';

/** Names a file with the credentials of an installation that already runs; specs then use that one. */
export const INSTALLATION_VARIABLE = 'CAIRN_TEST_INSTALLATION';

/** An installation that is reached over HTTP alone: no folder, no process and no log of it is on this machine. */
export async function existingCairn(credentialsFile: string, wanted: object): Promise<RunningCairn> {
  if (Object.keys(wanted).length > 0)
    throw new Error(`the spec needs its own settings, but the installation in ${INSTALLATION_VARIABLE} already runs`);
  const credentials = JSON.parse(await readFile(credentialsFile, 'utf8')) as Record<string, string>;
  const onlyEmbedded = (what: string): never => {
    throw new Error(`a spec cannot reach ${what} of the installation in ${INSTALLATION_VARIABLE}`);
  };
  return {
    baseUrl: credentials['base_url']!,
    memoryDomain: credentials['memory_domain']!,
    apiKey: credentials['api_key']!,
    testApiKey: credentials['test_api_key']!,
    tenantId: credentials['tenant_id']!,
    get dataDir() {
      return onlyEmbedded('the data folder');
    },
    get pid() {
      return onlyEmbedded('the processes');
    },
    output: () => onlyEmbedded('the output'),
    stop: async () => onlyEmbedded('the processes'),
    kill9: async () => onlyEmbedded('the processes'),
    // Whoever started it removes it.
    remove: async () => undefined,
  };
}
