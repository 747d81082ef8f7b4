import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type KeyFiles, writePrivately } from '../data-folder.ts';
import type { StartedService } from '../up/service-variables.ts';

/** What is secret about a service: where it logs in, and as whom. */
interface ServiceSecrets {
  /** The gateway has none. */
  database?: { url: string; workerUrl: string };
  natsUrl?: string;
}

/**
 * Writes a service's folder: its key files and `service.env`, which names them at the paths where the service will
 * find the folder. It holds nothing of another service.
 */
export async function writeServiceFolder(
  folder: string,
  service: StartedService,
  keys: KeyFiles,
  secrets: ServiceSecrets,
  mountedAt: string,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const variables: Record<string, string> = {};
  const put = async (variable: string, name: string, source: string) => {
    await writePrivately(join(folder, name), await readFile(source, 'utf8'));
    variables[variable] = `${mountedAt}/${name}`;
  };
  if (secrets.database !== undefined) {
    variables['DATABASE_URL'] = secrets.database.url;
    variables['DATABASE_WORKER_URL'] = secrets.database.workerUrl;
  }
  if (secrets.natsUrl !== undefined) variables['NATS_URL'] = secrets.natsUrl;
  await put('CAIRN_SIGNING_KEY_FILE', 'signing-key.jwk.json', keys.signingKeyFile(service));
  await put('CAIRN_JWKS_FILE', 'jwks.json', keys.jwksFile);
  await put('CAIRN_REQUEST_KEYS_FILE', 'request-keys.jwks.json', keys.requestKeysFile(service));
  if (service === 'tenancy' || service === 'webhooks')
    await put('CAIRN_KEY_ENCRYPTION_KEYS_FILE', 'key-encryption.jwks.json', keys.keyEncryptionKeysFile);
  if (service === 'memory') await put('CAIRN_INGEST_KEYS_FILE', 'ingest.jwks.json', keys.ingestKeysFile);
  await writePrivately(join(folder, 'service.env'), environmentFile(variables));
}

/** Lines of NAME=value, as `node --env-file` and container programs read them. */
export function environmentFile(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => {
      // URLs and paths need no quotes, and the readers of such files disagree about them.
      if (/[\s'"#\\$]/.test(value)) throw new Error(`the value of ${name} cannot be written into an environment file`);
      return `${name}=${value}\n`;
    })
    .join('');
}
