import { createHmac, randomBytes } from 'node:crypto';
import type { RolePasswords, ServiceRoles } from '@cairn/postgres';
import type { Sealing } from '@cairn/sealing';

/** What is sealed of an engine. */
export interface EngineSecret {
  /** The passwords of the memory service's roles there are derived from it; it is none of them. */
  password: string;
  /** How the memory service connects; null until the schema is made. The owner's URL is not kept. */
  roles: ServingRoles | null;
}

export type ServingRoles = Pick<ServiceRoles, 'url' | 'workerUrl'>;

const SECRET_BYTES = 24;

export const newEngineSecret = () => randomBytes(SECRET_BYTES).toString('base64url');

/**
 * A password per role, so that one who serves cannot log in as the owner. They are derived rather than stored, so
 * that setting up an engine a second time, after a crash between the server and our own database, sets the same ones.
 */
export function rolePasswordsOf(secret: string): RolePasswords {
  const derive = (role: string) => createHmac('sha256', secret).update(`role ${role}`).digest('base64url');
  return { owner: derive('owner'), app: derive('app'), worker: derive('worker') };
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
