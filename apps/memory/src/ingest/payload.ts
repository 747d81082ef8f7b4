import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** What was handed in, as it waits to be read. */
export interface Payload {
  /** The text, the file, or null when it has to be fetched. */
  content: string | Uint8Array | null;
  about: {
    title: string | null;
    metadata: Record<string, unknown>;
    /** The caller's words about a file. */
    fileName: string;
    mediaType: string;
    /** Where to fetch it, or where it came from. */
    url: string | null;
  };
}

/** Seals what waits in the queue, so that nothing unscreened is ever written to a disk as it is. */
export interface PayloadSeal {
  seal(place: string, payload: Payload): Buffer;
  /** Throws when it was sealed for another place, or with a key that is not in the configuration. */
  open(place: string, sealed: Buffer): Payload;
}

const KEY_BYTES = 32;
const KeyFile = z.object({
  keys: z
    .array(
      z.looseObject({
        kty: z.literal('oct'),
        kid: z.string().min(1).max(200),
        k: z.string().refine((text) => Buffer.from(text, 'base64url').length === KEY_BYTES, 'must be 32 bytes'),
      }),
    )
    .min(1),
});

/** Reads a JWK set of AES-256 keys: the first seals, all of them open. */
export async function readPayloadSeal(file: string): Promise<PayloadSeal> {
  const parsed = KeyFile.safeParse(JSON.parse(await readFile(file, 'utf8')));
  // The file's content is secret: what is wrong with it is said without showing it.
  if (!parsed.success) throw new Error(`${file} is not a JWK set of 256-bit oct keys`);
  return createPayloadSeal(parsed.data.keys);
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;

/**
 * AES-256-GCM under a random nonce, bound to the document by its additional data. Layout: length of the key's id,
 * id, nonce, tag, ciphertext of (length of the JSON, JSON, content).
 */
export function createPayloadSeal(keys: readonly { kid: string; k: string }[]): PayloadSeal {
  const known = new Map(keys.map(({ kid, k }) => [kid, Buffer.from(k, 'base64url')]));
  const sealingKid = keys[0]!.kid;
  const header = Buffer.concat([Buffer.from([Buffer.byteLength(sealingKid)]), Buffer.from(sealingKid)]);
  return {
    seal(place, payload) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, known.get(sealingKid)!, nonce).setAAD(Buffer.from(place));
      const body = [cipher.update(frame(payload)), cipher.final()];
      return Buffer.concat([header, nonce, cipher.getAuthTag(), ...body]);
    },
    open(place, sealed) {
      const kidEnd = 1 + sealed[0]!;
      const key = known.get(sealed.toString('utf8', 1, kidEnd));
      if (key === undefined) throw new Error('a queued document needs a key that is not in the configuration');
      const tagStart = kidEnd + NONCE_BYTES;
      const decipher = createDecipheriv(CIPHER, key, sealed.subarray(kidEnd, tagStart)).setAAD(Buffer.from(place));
      decipher.setAuthTag(sealed.subarray(tagStart, tagStart + TAG_BYTES));
      return unframe(Buffer.concat([decipher.update(sealed.subarray(tagStart + TAG_BYTES)), decipher.final()]));
    },
  };
}

/** What a payload is sealed for. */
export function placeOf(scope: { tenantId: string; memoryId: string }, docId: string): string {
  return `${scope.tenantId} ${scope.memoryId} ${docId}`;
}

function frame({ content, about }: Payload): Buffer {
  const kind = content === null ? 'none' : typeof content === 'string' ? 'text' : 'file';
  const json = Buffer.from(JSON.stringify({ ...about, kind }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, content === null ? Buffer.alloc(0) : Buffer.from(content)]);
}

function unframe(bytes: Buffer): Payload {
  const jsonEnd = LENGTH_BYTES + bytes.readUInt32BE();
  const { kind, ...about } = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, jsonEnd)) as Payload['about'] & {
    kind: 'none' | 'text' | 'file';
  };
  const rest = bytes.subarray(jsonEnd);
  return { content: kind === 'none' ? null : kind === 'text' ? rest.toString('utf8') : new Uint8Array(rest), about };
}
