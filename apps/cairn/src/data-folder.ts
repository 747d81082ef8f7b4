import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_NAMES, type ServiceName } from '@cairn/contracts';
import { generateRequestKey, generateSigningKey } from '@cairn/identity';

/** Components that sign calls of their own; `gateway` also signs for tenants. */
const SIGNERS = ['gateway', 'keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage', 'operator'] as const;
type Signer = (typeof SIGNERS)[number];

/** The secrets of an installation, readable by their owner only. */
export interface KeyFiles {
  jwksFile: string;
  signingKeyFile(signer: Signer): string;
  /** What gateways bind requests to the service with; `gateway`: the keys of all services. */
  requestKeysFile(part: ServiceName | 'gateway'): string;
  /** Keys that stored secrets are encrypted with. */
  keyEncryptionKeysFile: string;
  /** Keys that documents are encrypted with while they wait to be ingested. */
  ingestKeysFile: string;
  /** Passwords of the services' database roles. */
  databasePasswordsFile: string;
}

/** Where everything of one embedded installation lies. */
export interface DataFolder extends KeyFiles {
  root: string;
  postgres: string;
  nats: string;
  /** PostgreSQL servers of dedicated memories, a folder each. */
  engines: string;
  /** What gateways note for the boot after them. */
  gatewayState: string;
  cache: string;
  logs: string;
  credentialsFile: string;
  /** Where the parts of the running installation listen. */
  addressesFile: string;
  /** What of the documentation the memory that its question box asks holds. */
  documentationFile: string;
  /** Earlier versions kept one password for all roles there. */
  formerDatabasePasswordFile: string;
}

/** Where the running installation listens, as `addressesFile` holds it. */
export interface Addresses {
  gateway: string;
  keysGrpc: string;
  tenancyGrpc: string;
  memoryGrpc: string;
  researchGrpc: string;
  webhooksGrpc: string;
  usageGrpc: string;
  /** Where each service shows its metrics, if they are served. */
  metrics?: Record<string, string>;
}

/** What a user needs to call the embedded installation, as `credentialsFile` holds it. */
export interface Credentials {
  base_url: string;
  memory_domain: string;
  tenant_id: string;
  api_key: string;
  test_api_key: string;
  console_url: string;
}

/** In the data folder, while the installation runs. */
export const ADDRESSES_FILE = 'addresses.json';

/** Makes the folder and its secrets if they are not there. */
export async function openDataFolder(root: string): Promise<DataFolder> {
  const folder = dataFolderIn(root);
  for (const each of [root, folder.logs, folder.cache]) await mkdir(each, { recursive: true });
  await openKeyFiles(join(root, 'keys'));
  return folder;
}

/** Where everything is, or would be. */
export function dataFolderIn(root: string): DataFolder {
  const keys = join(root, 'keys');
  return {
    ...keyFilesIn(keys),
    root,
    postgres: join(root, 'postgres'),
    nats: join(root, 'nats'),
    engines: join(root, 'engines'),
    gatewayState: join(root, 'gateway'),
    cache: join(root, 'cache'),
    logs: join(root, 'logs'),
    credentialsFile: join(root, 'credentials.json'),
    addressesFile: join(root, ADDRESSES_FILE),
    documentationFile: join(root, 'documentation.json'),
    formerDatabasePasswordFile: join(keys, 'database-password'),
  };
}

/** Makes the folder of the secrets and those that are missing in it. */
export async function openKeyFiles(keys: string): Promise<KeyFiles> {
  await mkdir(keys, { recursive: true });
  await chmod(keys, 0o700);
  const files = keyFilesIn(keys);
  for (const file of [files.keyEncryptionKeysFile, files.ingestKeysFile]) await createEncryptionKey(file);
  await makeSigningKeys(files.jwksFile, files.signingKeyFile);
  await makeRequestKeys(files.requestKeysFile);
  return files;
}

/** Where the secrets are, or would be. */
export function keyFilesIn(keys: string): KeyFiles {
  return {
    jwksFile: join(keys, 'jwks.json'),
    signingKeyFile: (signer) => join(keys, `${signer}.jwk.json`),
    requestKeysFile: (part) => join(keys, `${part}.requests.jwks.json`),
    keyEncryptionKeysFile: join(keys, 'key-encryption.jwks.json'),
    ingestKeysFile: join(keys, 'ingest.jwks.json'),
    databasePasswordsFile: join(keys, 'database-passwords.json'),
  };
}

async function makeSigningKeys(jwksFile: string, signingKeyFile: (signer: Signer) => string): Promise<void> {
  const publicKeys = [];
  for (const signer of SIGNERS) {
    let jwk = await readJson<{ d?: string } & Record<string, unknown>>(signingKeyFile(signer));
    if (jwk === null) {
      jwk = { ...(await generateSigningKey(signer)).privateJwk };
      await writePrivately(signingKeyFile(signer), JSON.stringify(jwk));
    }
    const { d: _private, ...publicJwk } = jwk;
    publicKeys.push(publicJwk);
  }
  await writeIfOther(jwksFile, JSON.stringify({ keys: publicKeys }));
}

/** What follows from other files is right again even if a run was killed between those and this one. */
async function writeIfOther(file: string, text: string): Promise<void> {
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known !== text) await writePrivately(file, text);
}

/** The gateway's file holds what the services' files do, so that each service knows its own keys and no others. */
async function makeRequestKeys(fileOf: (part: ServiceName | 'gateway') => string): Promise<void> {
  const all: object[] = [];
  for (const service of SERVICE_NAMES) {
    let jwks = await readJson<{ keys: object[] }>(fileOf(service));
    if (jwks === null) {
      jwks = { keys: [generateRequestKey(service)] };
      await writePrivately(fileOf(service), JSON.stringify(jwks));
    }
    all.push(...jwks.keys);
  }
  await writeIfOther(fileOf('gateway'), JSON.stringify({ keys: all }));
}

async function createEncryptionKey(file: string): Promise<void> {
  if ((await readJson(file)) !== null) return;
  const key = { kty: 'oct', kid: randomBytes(6).toString('hex'), k: randomBytes(32).toString('base64url') };
  await writePrivately(file, JSON.stringify({ keys: [key] }));
}

/** The file's JSON, or null when there is no such file. One that cannot be read must not be replaced by a new key. */
export async function readJson<T>(file: string): Promise<T | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as T);
}

/** Writes a file that only its owner reads, whole or not at all. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}
