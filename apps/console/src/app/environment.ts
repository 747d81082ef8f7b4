import type { Whoami } from '@cairn/sdk';

export type Environment = Whoami['credential']['environment'];

/** Of this tab: another may show the other environment, and what is changed here must not change there. */
const STORAGE_KEY = 'cairn.environment';

/** Null until the tab knows whose session it has. */
export function environmentOfTab(): Environment | null {
  const said = sessionStorage.getItem(STORAGE_KEY);
  return said === 'live' || said === 'test' ? said : null;
}

/** Says which session a request means: a browser may have one of each environment. */
export const environmentHeaders: Record<string, string> = {};

export function storeEnvironment(environment: Environment): void {
  sessionStorage.setItem(STORAGE_KEY, environment);
  environmentHeaders['cairn-environment'] = environment;
}

const kept = environmentOfTab();
if (kept !== null) storeEnvironment(kept);

/** Begins with the other one: no id of this environment is known there. */
export function switchEnvironment(environment: Environment): void {
  storeEnvironment(environment);
  location.assign('/console/');
}
