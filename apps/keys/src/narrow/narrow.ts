import type { Logger } from '@cairn/service-kit';

/**
 * What is narrowed: credentials by the id of a key, of an OAuth client with all its tokens, or of a single token; or all
 * that act in a tenant or are bound to a memory or space.
 */
export type Narrowed =
  | { what: 'credentials'; ids: readonly string[] }
  | { what: 'tenant'; tenantId: string }
  | { what: 'memory'; tenantId: string; memoryId: string }
  | { what: 'space'; tenantId: string; memoryId: string; spaceId: string };

/**
 * The one way by which a credential comes to be good for less than before. Who narrows says what, and how to make it
 * true; `commit` may be called only once and gives what the narrowing gives. It must throw rather than commit what
 * was not announced, and must do no harm when it was done before.
 */
export type Narrow = <T>(narrowed: Narrowed, commit: () => Promise<T>) => Promise<T>;

/** Everything that must happen around the commit, so that nobody goes on by what was true before, belongs here. */
export function createNarrow(logger: Logger): Narrow {
  return async (narrowed, commit) => {
    const result = await commit();
    logger.info(narrowed, 'credentials narrowed');
    return result;
  };
}
