import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IssuedCertificate } from '@cairn/certificates';
import { type KeyFiles, writePrivately } from '../data-folder.ts';
import type { StartedService } from '../up/service-variables.ts';

/** What is secret about a service: where it logs in, and as whom. */
interface ServiceSecrets {
  /** The gateway has none. */
  database?: { url: string; workerUrl: string };
  natsUrl?: string;
  /** Absent: the parts speak without TLS. */
  certificate?: IssuedCertificate;
}

interface KeyFile {
  variable: string;
  /** In the service's folder. */
  name: string;
  /** The original. */
  source: string;
}

/** The files that a service gets a copy of. */
export function keyFilesOf(service: StartedService, keys: KeyFiles): KeyFile[] {
  const files = [
    { variable: 'CAIRN_SIGNING_KEY_FILE', name: 'signing-key.jwk.json', source: keys.signingKeyFile(service) },
    { variable: 'CAIRN_JWKS_FILE', name: 'jwks.json', source: keys.jwksFile },
    { variable: 'CAIRN_REQUEST_KEYS_FILE', name: 'request-keys.jwks.json', source: keys.requestKeysFile(service) },
  ];
  if (service === 'tenancy' || service === 'webhooks')
    files.push({
      variable: 'CAIRN_KEY_ENCRYPTION_KEYS_FILE',
      name: 'key-encryption.jwks.json',
      source: keys.keyEncryptionKeysFile,
    });
  if (service === 'memory')
    files.push({ variable: 'CAIRN_INGEST_KEYS_FILE', name: 'ingest.jwks.json', source: keys.ingestKeysFile });
  return files;
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
  if (secrets.database !== undefined) {
    variables['DATABASE_URL'] = secrets.database.url;
    variables['DATABASE_WORKER_URL'] = secrets.database.workerUrl;
  }
  if (secrets.natsUrl !== undefined) variables['NATS_URL'] = secrets.natsUrl;
  for (const { variable, name, source } of keyFilesOf(service, keys)) {
    await writePrivately(join(folder, name), await readFile(source, 'utf8'));
    variables[variable] = `${mountedAt}/${name}`;
  }
  if (secrets.certificate !== undefined)
    Object.assign(variables, await writeCertificate(folder, secrets.certificate, mountedAt));
  await writePrivately(join(folder, 'service.env'), environmentFile(variables));
}

/** Writes certificate, key and authorities into the folder and returns the variables that name them. */
export async function writeCertificate(
  folder: string,
  { certificate, privateKey, authorities }: IssuedCertificate,
  mountedAt: string,
): Promise<Record<string, string>> {
  // The authorities first: a service that has its new certificate already trusts those of the others.
  const files = { CAIRN_TLS_CA_FILE: 'ca.crt', CAIRN_TLS_KEY_FILE: 'tls.key', CAIRN_TLS_CERT_FILE: 'tls.crt' };
  await writePrivately(join(folder, files.CAIRN_TLS_CA_FILE), authorities);
  await writePrivately(join(folder, files.CAIRN_TLS_KEY_FILE), privateKey);
  await writePrivately(join(folder, files.CAIRN_TLS_CERT_FILE), certificate);
  return Object.fromEntries(Object.entries(files).map(([variable, name]) => [variable, `${mountedAt}/${name}`]));
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
