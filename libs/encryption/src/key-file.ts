import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** An AES-256 key as a JWK. */
interface SymmetricKey {
  kty: 'oct';
  kid: string;
  k: string;
}

const KEY_BYTES = 32;
/** A key's id is stored beside what it encrypted, with its length in one byte. */
const KID_MAX_CHARS = 200;

const KeyFile = z.object({
  keys: z
    .array(
      z.looseObject({
        kty: z.literal('oct'),
        kid: z.string().min(1).max(KID_MAX_CHARS),
        k: z.string().refine((text) => Buffer.from(text, 'base64url').length === KEY_BYTES, 'must be 32 bytes'),
      }),
    )
    .min(1),
});

/** Reads a JWK set of AES-256 keys: the first encrypts, all of them decrypt. */
export async function readKeyFile(file: string): Promise<SymmetricKey[]> {
  const parsed = KeyFile.safeParse(JSON.parse(await readFile(file, 'utf8')));
  // The file's content is secret, so the message does not show what is wrong with it.
  if (!parsed.success) throw new Error(`${file} is not a JWK set of 256-bit oct keys`);
  return parsed.data.keys;
}
