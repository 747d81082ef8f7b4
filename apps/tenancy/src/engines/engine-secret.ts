import type { ServiceRoles } from '@cairn/postgres';
import type { Sealing } from '@cairn/sealing';

/** What is sealed of an engine. */
export interface EngineSecret {
  /** Password of the memory service's roles there. */
  password: string;
  /** Null until the schema is made. */
  roles: ServiceRoles | null;
}

const placeOf = (engineId: string) => `engine ${engineId}`;

export function sealEngine(sealing: Sealing, engineId: string, secret: EngineSecret): Promise<string> {
  return sealing.seal(placeOf(engineId), JSON.stringify(secret));
}

export async function openEngine(sealing: Sealing, engineId: string, sealed: string): Promise<EngineSecret> {
  return JSON.parse(await sealing.open(placeOf(engineId), sealed)) as EngineSecret;
}

/** Seals anew under the current key. */
export async function resealEngine(sealing: Sealing, engineId: string, sealed: string): Promise<string> {
  return sealing.seal(placeOf(engineId), await sealing.open(placeOf(engineId), sealed));
}

/** host:port/database of a URL, without its credentials. */
export function locationOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
