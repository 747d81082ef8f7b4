import { CairnError } from '@cairn/errors';

/** Memory for the large bodies of all requests that are read or worked on. */
export interface BodyMemory {
  /** Takes the bytes for a tenant's request; returns the function that gives them back. Throws `unavailable`. */
  reserve(tenantId: string, bytes: number): () => void;
}

const TOTAL_MAX_BYTES = 256 * 1_048_576;
/** One tenant leaves half to the others. */
const TENANT_MAX_BYTES = TOTAL_MAX_BYTES / 2;

export function createBodyMemory(totalMaxBytes = TOTAL_MAX_BYTES, tenantMaxBytes = TENANT_MAX_BYTES): BodyMemory {
  const held = new Map<string, number>();
  let total = 0;
  const add = (tenantId: string, bytes: number) => {
    total += bytes;
    const left = (held.get(tenantId) ?? 0) + bytes;
    if (left === 0) held.delete(tenantId);
    else held.set(tenantId, left);
  };
  return {
    reserve(tenantId, bytes) {
      if (total + bytes > totalMaxBytes || (held.get(tenantId) ?? 0) + bytes > tenantMaxBytes)
        throw new CairnError('unavailable', 'Too many large requests are being read. Try again in a second.', {
          retryAfterSeconds: 1,
        });
      add(tenantId, bytes);
      let released = false;
      return () => {
        if (!released) add(tenantId, -bytes);
        released = true;
      };
    },
  };
}
