import type { ByteCipher } from '@cairn/encryption';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** What was submitted, as it waits in the queue. */
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

const LENGTH_BYTES = 4;

/** Encrypts a payload for the queue, bound to its document, so that nothing unscreened is written to a disk in plaintext. */
export function encryptPayload(cipher: ByteCipher, scope: MemoryScope, docId: string, payload: Payload): Buffer {
  return cipher.encrypt(placeOf(scope, docId), encode(payload));
}

/** Throws when the payload is another document's, or its key is not in the configuration. */
export function decryptPayload(cipher: ByteCipher, scope: MemoryScope, docId: string, encrypted: Buffer): Payload {
  return decode(cipher.decrypt(placeOf(scope, docId), encrypted));
}

function placeOf({ tenantId, memoryId }: MemoryScope, docId: string): string {
  return `${tenantId} ${memoryId} ${docId}`;
}

/** Length of the JSON, JSON, content. */
function encode({ content, about }: Payload): Buffer {
  const kind = content === null ? 'none' : typeof content === 'string' ? 'text' : 'file';
  const json = Buffer.from(JSON.stringify({ ...about, kind }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, content === null ? Buffer.alloc(0) : Buffer.from(content)]);
}

function decode(bytes: Buffer): Payload {
  const jsonEnd = LENGTH_BYTES + bytes.readUInt32BE();
  const { kind, ...about } = JSON.parse(bytes.toString('utf8', LENGTH_BYTES, jsonEnd)) as Payload['about'] & {
    kind: 'none' | 'text' | 'file';
  };
  const rest = bytes.subarray(jsonEnd);
  return { content: kind === 'none' ? null : kind === 'text' ? rest.toString('utf8') : new Uint8Array(rest), about };
}
