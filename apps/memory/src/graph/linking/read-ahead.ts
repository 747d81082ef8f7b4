import type { Extraction } from '../extract/extraction.ts';
import type { ReadWindows, Window } from './windows.ts';

const KEPT_MAX_CHARS = 4_000_000;

interface ReadAhead {
  /** Reads windows now, so that a transaction that asks for them soon does not wait. */
  readAhead(tenantId: string, windows: readonly Window[]): Promise<void>;
  /** What was read ahead, once; the rest is read now. */
  read: ReadWindows;
}

/**
 * Keeps what was read of windows by their digests, of which it is a function: whoever asks gets the same, whether it was
 * read ahead, let go for want of room, or never read.
 */
export function createReadAhead(readWindows: ReadWindows): ReadAhead {
  const kept = new Map<string, { extractions: Extraction[] | null; chars: number }>();
  let chars = 0;

  function drop(key: string): void {
    chars -= kept.get(key)?.chars ?? 0;
    kept.delete(key);
  }

  function keep(key: string, window: Window, extractions: Extraction[] | null): void {
    drop(key);
    const size = window.texts.reduce((sum, { body }) => sum + body.length, 0);
    kept.set(key, { extractions, chars: size });
    chars += size;
    for (const oldest of kept.keys()) {
      if (chars <= KEPT_MAX_CHARS) break;
      drop(oldest);
    }
  }

  const keyOf = (tenantId: string, window: Window) => `${tenantId} ${window.sha256.toString('hex')}`;

  return {
    async readAhead(tenantId, windows) {
      const wanted = windows.filter((window) => !kept.has(keyOf(tenantId, window)));
      const read = wanted.length === 0 ? [] : await readWindows(tenantId, wanted);
      wanted.forEach((window, at) => keep(keyOf(tenantId, window), window, read[at]!));
    },
    async read(tenantId, windows) {
      const found = windows.map((window) => kept.get(keyOf(tenantId, window)));
      for (const window of windows) drop(keyOf(tenantId, window));
      const missing = windows.filter((_, at) => found[at] === undefined);
      const read = (missing.length === 0 ? [] : await readWindows(tenantId, missing)).values();
      return found.map((known) => (known === undefined ? read.next().value! : known.extractions));
    },
  };
}
