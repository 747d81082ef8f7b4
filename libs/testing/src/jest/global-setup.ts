import { INSTALLATION_VARIABLE } from '../installation/existing-cairn.ts';
import { POSTGRES_URL_VARIABLE, startTestEngines, type TestEngines } from '../engines/test-engines.ts';

type WithEngines = typeof globalThis & { cairnTestEngines?: TestEngines };

/** Starts the engines for a single Jest run, unless a surrounding run shares its own or an installation is given. */
export default async function globalSetup(): Promise<void> {
  if (process.env[POSTGRES_URL_VARIABLE] !== undefined || process.env[INSTALLATION_VARIABLE] !== undefined) return;
  const engines = await startTestEngines();
  Object.assign(process.env, engines.env);
  (globalThis as WithEngines).cairnTestEngines = engines;
}

export async function stopEngines(): Promise<void> {
  await (globalThis as WithEngines).cairnTestEngines?.stop();
}
