import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, credsAuthenticator, nkeyAuthenticator, type TlsOptions } from 'nats';

/** Where the broker is and how a service proves itself to it; the names are those of a service's configuration. */
export interface BrokerSettings {
  /** nats:// or tls://, with the user in the first of several servers: `nats://keys:password@n1:4222,n2:4222`. */
  natsUrl: string;
  natsCaFile?: string | undefined;
  natsCertificateFile?: string | undefined;
  natsCertificateKeyFile?: string | undefined;
  natsCredentialsFile?: string | undefined;
  natsNkeySeedFile?: string | undefined;
  /** Replicas that a cluster keeps of the streams, at least; 1 on a single server. */
  eventsReplicas?: number | undefined;
}

interface Credentials extends Pick<ConnectionOptions, 'servers' | 'tls' | 'user' | 'pass' | 'token' | 'authenticator'> {
  /** Null for a token, which names nobody. */
  userName: string | null;
}

/** Reads the files for each connection, so that replaced ones take effect. Throws with an understandable message. */
export async function credentialsFor(address: BrokerSettings): Promise<Credentials> {
  const urls = address.natsUrl.split(',').map(serverUrl);
  const [first] = urls as [URL];
  const tls = tlsOptions(address, urls);
  return {
    servers: urls.map((url) => url.host),
    ...(tls === undefined ? {} : { tls }),
    ...(await proofOf(address, decodeURIComponent(first.username), decodeURIComponent(first.password))),
  };
}

const SCHEMES = ['nats:', 'tls:'];

function serverUrl(text: string): URL {
  const trimmed = text.trim();
  const full = trimmed.includes('://') ? trimmed : `nats://${trimmed}`;
  // What is wrong may hold a password, so it is not repeated.
  if (!URL.canParse(full)) throw new Error(INVALID_URL);
  const url = new URL(full);
  if (!SCHEMES.includes(url.protocol) || url.host === '') throw new Error(INVALID_URL);
  return url;
}

const INVALID_URL =
  'NATS_URL is not valid; it is written nats://user:password@host:4222 or tls://…, with several servers separated by commas.';

function tlsOptions(address: BrokerSettings, urls: readonly URL[]): TlsOptions | undefined {
  const { natsCaFile: caFile, natsCertificateFile: certFile, natsCertificateKeyFile: keyFile } = address;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Error('NATS_CERTIFICATE_FILE and NATS_CERTIFICATE_KEY_FILE are set together or not at all.');
  const isWanted = urls.some((url) => url.protocol === 'tls:') || caFile !== undefined || certFile !== undefined;
  if (!isWanted) return undefined;
  return {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
}

async function proofOf(address: BrokerSettings, user: string, password: string): Promise<Credentials> {
  const { natsCredentialsFile, natsNkeySeedFile } = address;
  if (natsCredentialsFile !== undefined && natsNkeySeedFile !== undefined)
    throw new Error('Only one of NATS_CREDENTIALS_FILE and NATS_NKEY_SEED_FILE can be set.');
  if (natsCredentialsFile !== undefined)
    return { userName: user, authenticator: credsAuthenticator(await readFile(natsCredentialsFile)) };
  if (natsNkeySeedFile !== undefined) {
    const seed = (await readFile(natsNkeySeedFile, 'utf8')).trim();
    return { userName: user, authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)) };
  }
  if (password !== '') return { userName: user, user, pass: password };
  // The server knows the user by the certificate.
  if (address.natsCertificateFile !== undefined) return { userName: user };
  return user === '' ? { userName: null } : { userName: null, token: user };
}
