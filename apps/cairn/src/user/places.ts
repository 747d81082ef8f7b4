import { homedir } from 'node:os';
import { join } from 'node:path';

/** Variables of the environment, as the process has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What commands for users go by; the page on configuration describes each variable. */
export interface Places {
  baseUrl: string | undefined;
  apiKey: string | undefined;
  /** Folder of the embedded installation. */
  dataDir: string;
  contextsFile: string;
}

/** The folder of the embedded installation where no variable names another. */
export const DEFAULT_DATA_DIR = join(import.meta.dirname, '..', '..', '..', '..', '.cairn');

/** Read by hand, because the services' reader of configuration takes longer to load than these commands may take. */
export function placesOf(environment: Variables): Places {
  const said = (name: string) => (environment[name] === '' ? undefined : environment[name]);
  const settings = said('XDG_CONFIG_HOME') ?? join(said('HOME') ?? homedir(), '.config');
  return {
    baseUrl: said('CAIRN_BASE_URL'),
    apiKey: said('CAIRN_API_KEY'),
    dataDir: said('CAIRN_DATA_DIR') ?? DEFAULT_DATA_DIR,
    contextsFile: said('CAIRN_CONTEXTS_FILE') ?? join(settings, 'cairn', 'contexts.json'),
  };
}
