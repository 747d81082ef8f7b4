import { type CredentialSubject, type Invalidation, namesOfSubject, namesOfTarget } from './invalidation.ts';

interface InvalidationLogOptions {
  nowMs: () => number;
  /** Longer than the longest invalidation takes: from then on the database denies. */
  denyRetentionMs: number;
  /** Longer than a lookup may take. */
  recheckRetentionMs: number;
  /** Names that are kept at most. */
  max: number;
}

/** What a gateway must deny or look up again. */
export interface InvalidationLog {
  /** Records an invalidation; false when there is no room, and then nothing that is cached may be used. */
  add(invalidation: Invalidation): boolean;
  /** The number of invalidations recorded so far; a lookup remembers it as it begins. */
  version(): number;
  isDenied(subject: CredentialSubject): boolean;
  /** True when what a lookup returned that began at the version may have been invalidated since. */
  isOutdated(subject: CredentialSubject, sinceVersion: number): boolean;
}

export function createInvalidationLog(options: InvalidationLogOptions): InvalidationLog {
  const denied = new Map<string, number>();
  const rechecked = new Map<string, { version: number; untilMs: number }>();
  let version = 0;

  function hasRoom(): boolean {
    if (denied.size + rechecked.size < options.max) return true;
    const now = options.nowMs();
    for (const [name, untilMs] of denied) if (untilMs <= now) denied.delete(name);
    for (const [name, entry] of rechecked) if (entry.untilMs <= now) rechecked.delete(name);
    return denied.size + rechecked.size < options.max;
  }

  return {
    add({ invalidated, effect }) {
      version += 1;
      for (const name of namesOfTarget(invalidated)) {
        if (!hasRoom()) return false;
        rechecked.set(name, { version, untilMs: options.nowMs() + options.recheckRetentionMs });
        if (effect === 'deny') denied.set(name, options.nowMs() + options.denyRetentionMs);
      }
      return true;
    },
    version: () => version,
    isDenied(subject) {
      if (denied.size === 0) return false;
      const now = options.nowMs();
      return namesOfSubject(subject).some((name) => (denied.get(name) ?? -Infinity) > now);
    },
    isOutdated(subject, sinceVersion) {
      if (sinceVersion === version) return false;
      return namesOfSubject(subject).some((name) => (rechecked.get(name)?.version ?? 0) > sinceVersion);
    },
  };
}
