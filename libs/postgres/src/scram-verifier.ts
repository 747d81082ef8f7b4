import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

const ITERATIONS = 4_096;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const VERIFIER = /^SCRAM-SHA-256\$(\d{1,9}):([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)$/;
/** SASLprep (RFC 4013) leaves these as they are; other characters it may change. */
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/;

/**
 * What PostgreSQL stores of a password (RFC 5802, RFC 7677):
 * `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>`, each in base64. A statement that sets it in place of
 * the password leaves no password in the server's log. Throws for a password that is not printable ASCII.
 */
export async function scramVerifier(password: string): Promise<string> {
  if (!PRINTABLE_ASCII.test(password)) throw new Error('a password of a role must be printable ASCII');
  return verifierOf(password, ITERATIONS, randomBytes(SALT_BYTES));
}

/** Whether a stored verifier is of this password; false for what is no SCRAM-SHA-256 verifier. */
export async function isVerifierOf(verifier: string | null, password: string): Promise<boolean> {
  const [, iterations, salt] = VERIFIER.exec(verifier ?? '') ?? [];
  if (iterations === undefined || salt === undefined) return false;
  const expected = Buffer.from(await verifierOf(password, Number(iterations), Buffer.from(salt, 'base64')));
  const found = Buffer.from(verifier!);
  return found.length === expected.length && timingSafeEqual(found, expected);
}

async function verifierOf(password: string, iterations: number, salt: Buffer): Promise<string> {
  const salted = await derive(password, salt, iterations, KEY_BYTES, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
