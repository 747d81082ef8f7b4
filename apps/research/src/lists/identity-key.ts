import { createHash } from 'node:crypto';

/** Keys are part of unique indexes, whose entries are bounded. */
const KEY_MAX_CHARS = 500;

/** A text as the identity key of a row: itself, or its digest when it is too long for an index. */
export function identityKeyOf(text: string): string {
  return text.length <= KEY_MAX_CHARS ? text : `sha256 ${createHash('sha256').update(text).digest('base64url')}`;
}
