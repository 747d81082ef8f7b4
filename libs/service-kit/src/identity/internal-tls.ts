import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  checkServerIdentity,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type SecureContextOptions,
} from 'node:tls';
import { repeat } from '@cairn/background';
import { type CertificateHolder, certificateNameOf } from '@cairn/identity';
import grpc from '@grpc/grpc-js';
import { ConfigError } from '../config/config.ts';
import type { Logger } from '../telemetry/logging.ts';
import type { Running } from '../running.ts';

/** The certificate of this process and how it knows the others: mutual TLS between the parts of an installation. */
export interface InternalTls extends Running {
  /** For gRPC channels; `channelOptionsFor` names whom the channel must reach. */
  channelCredentials(): grpc.ChannelCredentials;
  /** For a gRPC server that admits only holders of a certificate. */
  serverCredentials(): grpc.ServerCredentials;
  /** For an HTTPS server; `onChange` is called with new ones when the files have changed. */
  serverOptions(onChange: (options: SecureContextOptions) => void): SecureContextOptions;
  /**
   * Called when an authority is no longer trusted, for servers to close the connections from before: whoever still has a
   * good certificate connects again.
   */
  onAuthorityRemoved(listener: () => void): void;
  /** For `tls.connect`; to be asked for each connection, as the certificate changes. */
  connectOptions(peer: CertificateHolder): { secureContext: SecureContext; servername: string; minVersion: 'TLSv1.3' };
}

interface TlsFiles {
  tlsCertFile: string | undefined;
  tlsKeyFile: string | undefined;
  tlsCaFile: string | undefined;
}

interface Material {
  cert: Buffer;
  key: Buffer;
  ca: Buffer;
}

/** Kubernetes takes up to a minute to show a changed secret; after that it should be in use soon. */
const RELOAD_EVERY_MS = 5_000;
const EXPIRY_WARNING_MS = 30 * 24 * 3_600_000;

/** Whether the certificate, which was verified already, is the named part's. */
export function isCertificateOf(certificate: PeerCertificate | undefined, holder: string): boolean {
  if (certificate === undefined || Object.keys(certificate).length === 0) return false;
  return checkServerIdentity(certificateNameOf(holder), certificate) === undefined;
}

/**
 * Reads the three files and reads them again when they change. Null when none is set: then the parts speak without
 * TLS. Throws when only some are set, one cannot be read, or the key is not that of the certificate.
 */
export async function openInternalTls(
  files: TlsFiles,
  logger: Logger,
  reloadEveryMs = RELOAD_EVERY_MS,
): Promise<InternalTls | null> {
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = files;
  if (tlsCertFile === undefined && tlsKeyFile === undefined && tlsCaFile === undefined) return null;
  if (tlsCertFile === undefined || tlsKeyFile === undefined || tlsCaFile === undefined)
    throw new ConfigError(['CAIRN_TLS_CERT_FILE, CAIRN_TLS_KEY_FILE and CAIRN_TLS_CA_FILE must be set together']);
  const read = async (): Promise<Material> => {
    const [cert, key, ca] = await Promise.all([tlsCertFile, tlsKeyFile, tlsCaFile].map((file) => readFile(file)));
    return { cert: cert!, key: key!, ca: ca! };
  };
  let material = await read();
  let secureContext = contextOf(material);
  warnOfExpiry(material, logger);
  const provider = certificateProvider(() => material);
  const changed = new Set<() => void>([provider.notify]);
  const authorityRemoved = new Set<() => void>();
  let refused: Material | null = null;
  const reload = async () => {
    const found = await read();
    if (isSame(found, material) || (refused !== null && isSame(found, refused))) return;
    try {
      secureContext = contextOf(found);
    } catch (error) {
      refused = found;
      throw error;
    }
    const isRemoved = hasLostAuthority(material, found);
    material = found;
    refused = null;
    for (const notify of changed) notify();
    if (isRemoved) for (const notify of authorityRemoved) notify();
    const { fingerprint256, validTo } = new X509Certificate(found.cert);
    logger.info(
      { fingerprint: fingerprint256, valid_to: validTo },
      'tls: the files have changed; new connections use this certificate',
    );
    warnOfExpiry(found, logger);
  };
  const reloading = repeat(reloadEveryMs, reload, (error) =>
    logger.warn({ err: error }, 'tls: the changed certificate cannot be used; the one before stays in use'),
  );
  return {
    channelCredentials: () => grpc.experimental.createCertificateProviderChannelCredentials(provider, provider),
    serverCredentials: () => grpc.experimental.createCertificateProviderServerCredentials(provider, provider, true),
    serverOptions(onChange) {
      changed.add(() => onChange(material));
      return material;
    },
    onAuthorityRemoved: (listener) => void authorityRemoved.add(listener),
    connectOptions: (peer) => ({ secureContext, servername: certificateNameOf(peer), minVersion: 'TLSv1.3' }),
    close: () => reloading.close(),
  };
}

/** Options of a channel to a part such as `keys`. */
export function channelOptionsFor(peer: string): grpc.ChannelOptions {
  return { 'grpc.ssl_target_name_override': certificateNameOf(peer) };
}

const CERTIFICATE_END = /(?<=-----END CERTIFICATE-----)/;

/** Throws when the three do not belong together: a file may be written, or half written, and the next is not yet. */
function contextOf({ cert, key, ca }: Material): SecureContext {
  const last = certificatesIn(cert).at(-1);
  const isIssued = certificatesIn(ca).some(
    (authority) =>
      last !== undefined &&
      (last.fingerprint256 === authority.fingerprint256 ||
        (last.checkIssued(authority) && last.verify(authority.publicKey))),
  );
  if (!isIssued)
    throw new Error('the certificate of CAIRN_TLS_CERT_FILE is not issued by an authority of CAIRN_TLS_CA_FILE');
  return createSecureContext({ cert, key, ca, minVersion: 'TLSv1.3' });
}

function certificatesIn(pem: Buffer): X509Certificate[] {
  const blocks = pem.toString('utf8').split(CERTIFICATE_END);
  return blocks.filter((block) => block.includes('-----END')).map((block) => new X509Certificate(block));
}

function hasLostAuthority(before: Material, after: Material): boolean {
  const trusted = new Set(certificatesIn(after.ca).map(({ fingerprint256 }) => fingerprint256));
  return certificatesIn(before.ca).some(({ fingerprint256 }) => !trusted.has(fingerprint256));
}

function isSame(one: Material, other: Material): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key) && one.ca.equals(other.ca);
}

function warnOfExpiry({ cert }: Material, logger: Logger): void {
  const { validTo } = new X509Certificate(cert);
  if (Date.parse(validTo) - Date.now() < EXPIRY_WARNING_MS)
    logger.warn({ valid_to: validTo }, 'tls: the certificate expires soon; run “cairn operator provision” again');
}

/** Passes the present certificate, and each new one, to gRPC's channels and servers. */
function certificateProvider(current: () => Material): grpc.experimental.CertificateProvider & { notify: () => void } {
  const caListeners = new Set<grpc.experimental.CaCertificateUpdateListener>();
  const identityListeners = new Set<grpc.experimental.IdentityCertificateUpdateListener>();
  const notifyCa = (listener: grpc.experimental.CaCertificateUpdateListener) =>
    listener({ caCertificate: current().ca });
  const notifyIdentity = (listener: grpc.experimental.IdentityCertificateUpdateListener) =>
    listener({ certificate: current().cert, privateKey: current().key });
  return {
    addCaCertificateListener(listener) {
      caListeners.add(listener);
      // Not at once: gRPC's server would not hear it, as it listens to its credentials after they listen to this.
      process.nextTick(() => caListeners.has(listener) && notifyCa(listener));
    },
    removeCaCertificateListener: (listener) => void caListeners.delete(listener),
    addIdentityCertificateListener(listener) {
      identityListeners.add(listener);
      process.nextTick(() => identityListeners.has(listener) && notifyIdentity(listener));
    },
    removeIdentityCertificateListener: (listener) => void identityListeners.delete(listener),
    notify() {
      caListeners.forEach(notifyCa);
      identityListeners.forEach(notifyIdentity);
    },
  };
}
