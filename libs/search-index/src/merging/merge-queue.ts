import type { IndexScope } from '../search-index.ts';

/** Memories remembered between two turns; a look over all finds the rest. */
export const HINTED_MEMORIES_MAX = 10_000;

/** Time for the transaction that added a segment to commit, and for more segments to come together. */
const SETTLE_MS = 100;

/** Memories waiting for a merger, each once, oldest first. */
export class MergeQueue {
  private readonly waiting = new Map<string, { memory: IndexScope; dueAt: number }>();
  private wake: (() => void) | null = null;
  closed = false;

  add(memory: IndexScope): void {
    const key = `${memory.tenantId}\0${memory.memoryId}`;
    if (this.waiting.has(key) || this.waiting.size >= HINTED_MEMORIES_MAX) return;
    this.waiting.set(key, { memory, dueAt: Date.now() + SETTLE_MS });
    if (this.waiting.size === 1) this.wake?.();
  }

  /** The next memory, or null when `maxMs` have passed or the queue was closed. */
  async take(maxMs: number): Promise<IndexScope | null> {
    const until = Date.now() + maxMs;
    while (!this.closed) {
      const first = this.waiting.entries().next().value;
      const now = Date.now();
      if (first !== undefined && first[1].dueAt <= now) {
        this.waiting.delete(first[0]);
        return first[1].memory;
      }
      if (now >= until) return null;
      await this.sleep(Math.min(until, first?.[1].dueAt ?? until) - now);
    }
    return null;
  }

  /** Sleeps until `ms` have passed, a memory came or the queue was closed. */
  sleep(ms: number): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, ms));
      this.wake = done;
    });
  }

  close(): void {
    this.closed = true;
    this.wake?.();
  }
}
