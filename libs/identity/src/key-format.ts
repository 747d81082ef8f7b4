import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type CredentialKind, KEY_PREFIXES, SESSION_PREFIX } from '@cairn/contracts';
import basex from 'base-x';

const base62 = basex('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
const RANDOM_BYTES = 32;
const BODY_CHARS = 43;
const CHECKSUM_CHARS = 6;
const SHOWN_PREFIX_CHARS = 12;
const AFTER_PREFIX = new RegExp(`^[0-9A-Za-z]{${BODY_CHARS + CHECKSUM_CHARS}}$`);

interface NewKey {
  plaintext: string;
  prefix: string;
  sha256: Buffer;
}

/**
 * A fresh key: prefix, 32 random bytes in base62 at a fixed width, and the CRC32 of both in base62, so
 * that a scanner can tell a leaked key from a lookalike offline (after GitHub's token format).
 */
export function generateKey(kind: Exclude<CredentialKind, 'member'>): NewKey {
  return generateSecret(KEY_PREFIXES[kind]);
}

/** A fresh secret of the same form with another prefix, which no gateway accepts as a credential. */
export function generateSecret(prefix: string): NewKey {
  const body = base62.encode(randomBytes(RANDOM_BYTES)).padStart(BODY_CHARS, '0').slice(-BODY_CHARS);
  const unsigned = prefix + body;
  const plaintext = unsigned + checksum(unsigned);
  return { plaintext, prefix: plaintext.slice(0, SHOWN_PREFIX_CHARS), sha256: digestOf(plaintext) };
}

/** The SHA-256 of a key, which is stored and sent instead of it. */
export function digestOf(plaintext: string): Buffer {
  return hash('sha256', plaintext, 'buffer');
}

/** The same in base64, a third of the cost of encoding it afterwards. */
export function base64DigestOf(plaintext: string): string {
  return hash('sha256', plaintext, 'base64');
}

/** Of keys and tokens, and of the sessions that stand for keys. */
const PREFIXES = [...Object.values(KEY_PREFIXES), SESSION_PREFIX];

/** True when the text has the form of a key and its checksum is right, whether or not such a key exists. */
export function hasKeyForm(text: string): boolean {
  const prefix = PREFIXES.find((candidate) => text.startsWith(candidate));
  if (prefix === undefined || !AFTER_PREFIX.test(text.slice(prefix.length))) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARS)) === text.slice(-CHECKSUM_CHARS);
}

/**
 * True for a text that begins as a key does and is none: it was cut off, or mistyped. Anybody can compute that, so that
 * saying it says nothing about keys that exist.
 */
export function isDamagedKey(text: string): boolean {
  return PREFIXES.some((prefix) => text.startsWith(prefix)) && !hasKeyForm(text);
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62.encode(bytes).padStart(CHECKSUM_CHARS, '0').slice(-CHECKSUM_CHARS);
}
