import { createHmac, randomBytes } from 'node:crypto';
import type { KeyRing } from '@cairn/encryption';
import type { RolePasswords, ServiceRoles } from '@cairn/postgres';

/** What is stored encrypted of an engine. */
interface EngineSecret {
  /** The passwords of the memory service's roles there are derived from it; it is itself none of them. */
  password: string;
  /** How the memory service connects; null until the schema is made. The owner's URL is not kept. */
  roles: ServingRoles | null;
  /** Addresses of its streaming replicas, which have the same roles, with the parameters of a URL; none in old ones. */
  replicas?: readonly string[];
  /** Of a search engine beside the server, with its credentials. */
  searchUrl?: string;
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

const contextOf = (engineId: string) => `engine ${engineId}`;

export function encryptEngineSecret(keyRing: KeyRing, engineId: string, secret: EngineSecret): Promise<string> {
  return keyRing.encrypt(contextOf(engineId), JSON.stringify(secret));
}

export async function decryptEngineSecret(
  keyRing: KeyRing,
  engineId: string,
  ciphertext: string,
): Promise<EngineSecret> {
  return JSON.parse(await keyRing.decrypt(contextOf(engineId), ciphertext)) as EngineSecret;
}

/** Encrypts again under the current key. */
export async function reencryptEngineSecret(keyRing: KeyRing, engineId: string, ciphertext: string): Promise<string> {
  return keyRing.encrypt(contextOf(engineId), await keyRing.decrypt(contextOf(engineId), ciphertext));
}

/** How a role connects to a replica: as to the engine, at another address. */
export function replicaUrlOf(url: string, replica: string): string {
  const { username, password, pathname } = new URL(url);
  const [host = '', parameters] = replica.split('?', 2);
  const search = parameters === undefined ? '' : `?${parameters}`;
  return `postgres://${username}:${password}@${host}${pathname}${search}`;
}

/** host:port/database of a URL, without its credentials. */
export function locationOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
