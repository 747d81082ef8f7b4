import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readKeyFile } from './key-file.ts';

/** Encrypts bytes that are stored as bytes, such as whole files: without the third that base64 would add. */
export interface ByteCipher {
  encrypt(context: string, plaintext: Uint8Array): Buffer;
  /** Throws when the ciphertext was altered, was made for another context, or its key is not in the configuration. */
  decrypt(context: string, ciphertext: Buffer): Buffer;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Reads a JWK set of AES-256 keys: the first encrypts, all of them decrypt. */
export async function readByteCipher(file: string): Promise<ByteCipher> {
  return createByteCipher(await readKeyFile(file));
}

/**
 * AES-256-GCM under a random nonce, with the context as additional data. Layout: length of the key's id, id, nonce,
 * tag, ciphertext.
 */
export function createByteCipher(jwks: readonly { kid: string; k: string }[]): ByteCipher {
  const keys = new Map(jwks.map(({ kid, k }) => [kid, Buffer.from(k, 'base64url')]));
  const currentKid = jwks[0]!.kid;
  const header = Buffer.concat([Buffer.from([Buffer.byteLength(currentKid)]), Buffer.from(currentKid)]);
  return {
    encrypt(context, plaintext) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keys.get(currentKid)!, nonce).setAAD(Buffer.from(context));
      const encrypted = [cipher.update(plaintext), cipher.final()];
      return Buffer.concat([header, nonce, cipher.getAuthTag(), ...encrypted]);
    },
    decrypt(context, ciphertext) {
      const kidEnd = 1 + ciphertext[0]!;
      const key = keys.get(ciphertext.toString('utf8', 1, kidEnd));
      if (key === undefined) throw new Error('the bytes were encrypted with a key that is not in the configuration');
      const tagStart = kidEnd + NONCE_BYTES;
      const nonce = ciphertext.subarray(kidEnd, tagStart);
      const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
      decipher.setAuthTag(ciphertext.subarray(tagStart, tagStart + TAG_BYTES));
      return Buffer.concat([decipher.update(ciphertext.subarray(tagStart + TAG_BYTES)), decipher.final()]);
    },
  };
}
