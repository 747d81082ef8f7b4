// Before the library: it registers its classes by the metadata of decorators.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { certificateNameOf, type CertificateHolder } from '@cairn/identity';
import * as x509 from '@peculiar/x509';

/** PEM texts. */
export interface IssuedCertificate {
  certificate: string;
  privateKey: string;
  /** Every authority whose certificates are accepted, one after the other. */
  authorities: string;
}

interface KeyPair {
  certificate: string;
  privateKey: string;
}

/** What the operator keeps of the certificates: as secret as the keys in it. */
export interface CertificateStore {
  /** Signed what may still be in use; trusted until the next rotation. */
  previous: KeyPair | null;
  /** Signs. */
  current: KeyPair;
  /** Trusted by everybody long before it signs, so that changing to it interrupts nothing. */
  next: KeyPair;
  issued: Record<string, KeyPair>;
  /** ISO 8601; absent before the first rotation. */
  rotatedAt?: string;
}

interface IssueOptions {
  rotate: boolean;
  /** The authority before is trusted no more, and with it none of the certificates from before the rotation. */
  lockOut?: boolean;
  now?: Date;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 24 * 3_600_000;
const AUTHORITY_VALID_MS = 10 * 365 * DAY_MS;
const CERTIFICATE_VALID_MS = 365 * DAY_MS;
/** Certificates are issued again when less than this is left. */
const RENEW_BEFORE_MS = 120 * DAY_MS;
/** Until everybody has read the files; a second rotation before would leave services that trust no common authority. */
const ROTATION_PAUSE_MS = 10 * 60_000;
/** Clocks of other machines may be behind. */
const BACKDATED_MS = 3_600_000;

/**
 * A certificate for each holder, out of what is known or issued now: those that are missing, that expire within 120
 * days, or all of them with `rotate`. Then the authority changes, too: the next one, which everybody trusts already,
 * takes over, and the one before stays trusted until the next rotation, or until `lockOut`. The store is to be kept.
 * Throws when the last rotation was less than ten minutes ago.
 */
export async function issueCertificates(
  known: CertificateStore | null,
  holders: readonly CertificateHolder[],
  { rotate, lockOut = false, now = new Date() }: IssueOptions,
): Promise<{ store: CertificateStore; certificates: Record<string, IssuedCertificate> }> {
  const store = structuredClone(known === null ? await newStore(now) : rotate ? await rotated(known, now) : known);
  if (lockOut) store.previous = null;
  for (const holder of holders) {
    const found = store.issued[holder];
    if (found === undefined || expiresSoon(found, now)) store.issued[holder] = await issue(store.current, holder, now);
  }
  const trusted = [store.current, store.next, ...(store.previous === null ? [] : [store.previous])];
  const authorities = trusted.map(({ certificate }) => certificate).join('');
  const certificates = Object.fromEntries(holders.map((holder) => [holder, { ...store.issued[holder]!, authorities }]));
  return { store, certificates };
}

async function newStore(now: Date): Promise<CertificateStore> {
  return { previous: null, current: await createAuthority(now), next: await createAuthority(now), issued: {} };
}

async function rotated({ current, next, rotatedAt }: CertificateStore, now: Date): Promise<CertificateStore> {
  if (rotatedAt !== undefined && now.getTime() - Date.parse(rotatedAt) < ROTATION_PAUSE_MS)
    throw new Error(
      `The certificates were rotated at ${rotatedAt}; wait ten minutes, until every service has read them.`,
    );
  return {
    previous: current,
    current: next,
    next: await createAuthority(now),
    issued: {},
    rotatedAt: now.toISOString(),
  };
}

function expiresSoon({ certificate }: KeyPair, now: Date): boolean {
  return new x509.X509Certificate(certificate).notAfter.getTime() - now.getTime() < RENEW_BEFORE_MS;
}

async function createAuthority(now: Date): Promise<KeyPair> {
  const keys = await generateKeys();
  const serialNumber = serial();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber,
    // Different names: a verifier that meets two authorities of one name may try the wrong key.
    name: `CN=Cairn internal authority ${serialNumber}`,
    ...validity(now, AUTHORITY_VALID_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pem(certificate), privateKey: await privateKeyOf(keys) };
}

async function issue(authority: KeyPair, holder: CertificateHolder, now: Date): Promise<KeyPair> {
  const keys = await generateKeys();
  const issuer = new x509.X509Certificate(authority.certificate);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.privateKey),
    ALGORITHM,
    false,
    ['sign'],
  );
  const name = certificateNameOf(holder);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: `CN=${name}`,
    issuer: issuer.subject,
    ...validity(now, CERTIFICATE_VALID_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { certificate: pem(certificate), privateKey: await privateKeyOf(keys) };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privateKeyOf({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const exported = await webcrypto.subtle.exportKey('pkcs8', privateKey);
  return `${x509.PemConverter.encode(exported, 'PRIVATE KEY')}\n`;
}

function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

function validity(now: Date, validMs: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - BACKDATED_MS), notAfter: new Date(now.getTime() + validMs) };
}

/** 64 random bits; the first one is 0, as a serial number is positive, and the second 1, so that no byte is left out. */
function serial(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(8));
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}
