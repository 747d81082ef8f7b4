import { type CredentialSubject, namesOfSubject, namesOfTarget, type InvalidationTarget } from '@cairn/revocation';

/** The open connections that outlive their request, by credential: event streams and WebSockets. */
interface ConnectionRegistry {
  /** Registers how to close a connection; call what it returns when the connection has closed by itself. */
  register(subject: CredentialSubject, close: () => void): () => void;
  /** Closes the connections of invalidated credentials; returns how many. */
  closeInvalidated(invalidated: InvalidationTarget): number;
  closeAll(): void;
}

export function createConnectionRegistry(): ConnectionRegistry {
  const byName = new Map<string, Set<() => void>>();
  return {
    register(subject, close) {
      const names = namesOfSubject(subject);
      for (const name of names) {
        const closers = byName.get(name) ?? new Set();
        closers.add(close);
        byName.set(name, closers);
      }
      return () => {
        for (const name of names) {
          const closers = byName.get(name);
          closers?.delete(close);
          if (closers?.size === 0) byName.delete(name);
        }
      };
    },
    closeInvalidated(invalidated) {
      const closers = new Set(namesOfTarget(invalidated).flatMap((name) => [...(byName.get(name) ?? [])]));
      for (const close of closers) close();
      return closers.size;
    },
    closeAll() {
      for (const close of new Set([...byName.values()].flatMap((closers) => [...closers]))) close();
    },
  };
}
