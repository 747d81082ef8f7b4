import { createHash } from 'node:crypto';

/** A short key for a step that is about a text: the same in every process and version. */
export function stepKeyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
