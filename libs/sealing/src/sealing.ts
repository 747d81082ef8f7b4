import { readFile } from 'node:fs/promises';
import { CompactEncrypt, compactDecrypt, importJWK, type JWK } from 'jose';
import { z } from 'zod';

/** Seals secrets that must be read again, and opens them. What is sealed is bound to its place. */
export interface Sealing {
  /** A JWE of the secret that opens only under the same `place`, e.g. `provider-key tnt_… openai`. */
  seal(place: string, secret: string): Promise<string>;
  /** Throws when the seal is broken, was made for another place, or its key is not in the configuration. */
  open(place: string, sealed: string): Promise<string>;
  /** True when the seal was made with the key that seals now. */
  isCurrent(sealed: string): boolean;
}

const KEY_BYTES = 32;
const KeyFile = z.object({
  keys: z
    .array(
      z.looseObject({
        kty: z.literal('oct'),
        kid: z.string().min(1),
        k: z.string().refine((text) => Buffer.from(text, 'base64url').length === KEY_BYTES, 'must be 32 bytes'),
      }),
    )
    .min(1),
});

/** Reads a JWK set of AES-256 keys: the first seals, all of them open. */
export async function readSealing(file: string): Promise<Sealing> {
  const parsed = KeyFile.safeParse(JSON.parse(await readFile(file, 'utf8')));
  // The file's content is secret: what is wrong with it is said without showing it.
  if (!parsed.success) throw new Error(`${file} is not a JWK set of 256-bit oct keys`);
  return createSealing(parsed.data.keys);
}

/** After RFC 7516: a random content key for each secret (A256GCM), wrapped under the key-encryption key (A256GCMKW). */
export async function createSealing(jwks: readonly JWK[]): Promise<Sealing> {
  const keys = new Map(
    await Promise.all(jwks.map(async (jwk) => [jwk.kid!, await importJWK(jwk, 'A256GCMKW')] as const)),
  );
  const sealingKid = jwks[0]!.kid!;
  return {
    seal: (place, secret) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ place, secret })))
        .setProtectedHeader({ alg: 'A256GCMKW', enc: 'A256GCM', kid: sealingKid })
        .encrypt(keys.get(sealingKid)!),
    async open(place, sealed) {
      const key = keys.get(kidOf(sealed) ?? '');
      if (key === undefined) throw new Error('a sealed secret needs a key that is not in the configuration');
      const { plaintext } = await compactDecrypt(sealed, key, {
        keyManagementAlgorithms: ['A256GCMKW'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      const content = JSON.parse(new TextDecoder().decode(plaintext)) as { place: string; secret: string };
      if (content.place !== place) throw new Error('a sealed secret lies in a place it was not sealed for');
      return content.secret;
    },
    isCurrent: (sealed) => kidOf(sealed) === sealingKid,
  };
}

function kidOf(sealed: string): string | undefined {
  const header = Buffer.from(sealed.split('.', 1)[0] ?? '', 'base64url').toString('utf8');
  return (JSON.parse(header) as { kid?: string }).kid;
}
