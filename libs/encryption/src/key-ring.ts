import { CompactEncrypt, compactDecrypt, importJWK, type JWK } from 'jose';
import { readKeyFile } from './key-file.ts';

/** The key-encryption keys of an installation: encrypts secrets that must be read again, each bound to its context. */
export interface KeyRing {
  /** A JWE of the secret that decrypts only under the same `context`, e.g. `provider-key tnt_… openai`. */
  encrypt(context: string, secret: string): Promise<string>;
  /** Throws when the ciphertext was altered, was made for another context, or its key is not in the configuration. */
  decrypt(context: string, ciphertext: string): Promise<string>;
  /** True when it was encrypted with the key that encrypts now. */
  isCurrent(ciphertext: string): boolean;
}

/** Reads a JWK set of AES-256 keys: the first encrypts, all of them decrypt. */
export async function readKeyRing(file: string): Promise<KeyRing> {
  return createKeyRing(await readKeyFile(file));
}

/** Envelope encryption after RFC 7516: a random content key for each secret (A256GCM), wrapped under the key-encryption key (A256GCMKW). */
export async function createKeyRing(jwks: readonly JWK[]): Promise<KeyRing> {
  const keys = new Map(
    await Promise.all(jwks.map(async (jwk) => [jwk.kid!, await importJWK(jwk, 'A256GCMKW')] as const)),
  );
  const currentKid = jwks[0]!.kid!;
  return {
    // `place` is the stored name of the context; ciphertexts of earlier versions carry it too.
    encrypt: (context, secret) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ place: context, secret })))
        .setProtectedHeader({ alg: 'A256GCMKW', enc: 'A256GCM', kid: currentKid })
        .encrypt(keys.get(currentKid)!),
    async decrypt(context, ciphertext) {
      const key = keys.get(kidOf(ciphertext) ?? '');
      if (key === undefined) throw new Error('the secret was encrypted with a key that is not in the configuration');
      const { plaintext } = await compactDecrypt(ciphertext, key, {
        keyManagementAlgorithms: ['A256GCMKW'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      const content = JSON.parse(new TextDecoder().decode(plaintext)) as { place: string; secret: string };
      if (content.place !== context) throw new Error('the secret was encrypted for another context');
      return content.secret;
    },
    isCurrent: (ciphertext) => kidOf(ciphertext) === currentKid,
  };
}

function kidOf(ciphertext: string): string | undefined {
  const header = Buffer.from(ciphertext.split('.', 1)[0] ?? '', 'base64url').toString('utf8');
  return (JSON.parse(header) as { kid?: string }).kid;
}
