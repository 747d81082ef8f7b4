import { join } from 'node:path';
import { type Context, readContexts, readIfThere } from './contexts.ts';
import { CredentialError, UsageError } from './failures.ts';
import type { Places } from './places.ts';

/** Where and with which key to call, and what that was taken from. */
export interface Connection extends Context {
  source: 'environment' | 'embedded' | `context ${string}`;
}

/**
 * The context that the command names; else what the environment says; else the current context; else the embedded
 * installation. A key that comes from a file goes to the address of that file only.
 */
export async function findConnection(places: Places, contextName: string | undefined): Promise<Connection> {
  const { current, contexts } = await readContexts(places.contextsFile);
  if (contextName !== undefined) {
    const named = Object.hasOwn(contexts, contextName) ? contexts[contextName]! : undefined;
    if (named === undefined)
      throw new UsageError(`There is no context “${contextName}”. “cairn context list” shows those there are.`);
    return { ...named, source: `context ${contextName}` };
  }
  const stored = await storedConnections(places, current, contexts);
  const { baseUrl, apiKey } = places;
  if (apiKey !== undefined) {
    const address = baseUrl ?? stored[0]?.base_url;
    if (address === undefined) throw new UsageError('CAIRN_API_KEY is set, but not the CAIRN_BASE_URL that it is for.');
    return { base_url: address, api_key: apiKey, memory_id: null, source: 'environment' };
  }
  const found = baseUrl === undefined ? stored[0] : stored.find(({ base_url }) => sameOrigin(base_url, baseUrl));
  if (found !== undefined) return found;
  throw new CredentialError(
    baseUrl === undefined
      ? 'No key is known. Log in with “cairn login”, set CAIRN_BASE_URL and CAIRN_API_KEY, or start an installation with “npm start”.'
      : `No key for ${baseUrl} is known. Set CAIRN_API_KEY, or log in with “cairn login --base-url ${baseUrl}”.`,
  );
}

async function storedConnections(
  { dataDir }: Places,
  current: string | null,
  contexts: Record<string, Context>,
): Promise<Connection[]> {
  const others = Object.keys(contexts).filter((name) => name !== current);
  const named = current !== null && Object.hasOwn(contexts, current) ? [current, ...others] : others;
  const kept = named.map((name): Connection => ({ ...contexts[name]!, source: `context ${name}` }));
  const text = await readIfThere(join(dataDir, 'credentials.json'));
  if (text === null) return current === null ? [] : kept;
  const { base_url, api_key } = JSON.parse(text) as { base_url: string; api_key: string };
  const embedded: Connection = { base_url, api_key, memory_id: null, source: 'embedded' };
  return current === null ? [embedded, ...kept] : [...kept, embedded];
}

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}
