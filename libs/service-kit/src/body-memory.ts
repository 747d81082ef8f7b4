import { CairnError } from '@cairn/errors';

/** Memory for the large bodies of all requests that are read or worked on. */
export interface BodyMemory {
  /**
   * Takes the bytes for a tenant's request; returns the function that gives them back. Throws `rate_limited` when the
   * tenant holds its share already, and `unavailable` when others hold too much.
   */
  reserve(tenantId: string, bytes: number): () => void;
}

const BODY_MEMORY_MAX_BYTES = 256 * 1_048_576;
const RETRY_AFTER_SECONDS = 1;

/**
 * A tenant may hold as much as is left when it has it: alone half of all, beside one that holds its share a third, and
 * so on. However many tenants hold all they may, some is left for the next one. (Dynamic thresholds: Choudhury and
 * Hahne, 1998.)
 */
export function createBodyMemory(maxBytes = BODY_MEMORY_MAX_BYTES): BodyMemory {
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
      const own = held.get(tenantId) ?? 0;
      if (own > 0 && own + bytes > maxBytes - total - bytes) throw tooMany('tenant');
      if (total + bytes > maxBytes) throw tooMany('all');
      add(tenantId, bytes);
      let released = false;
      return () => {
        if (!released) add(tenantId, -bytes);
        released = true;
      };
    },
  };
}

function tooMany(cause: 'tenant' | 'all'): CairnError {
  const extras = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return cause === 'tenant'
    ? new CairnError(
        'rate_limited',
        'Too many large requests of this tenant are being read. Send fewer at a time.',
        extras,
      )
    : new CairnError('unavailable', 'Too many large requests are being read. Try again in a second.', extras);
}
