interface Loop {
  /** There may be something to do: the loop looks at once, or once more when it is at work. */
  wake(): void;
  /** Waits for the work in hand. */
  close(): Promise<void>;
}

interface LoopOptions {
  /** Does some of the work; returns whether there may be more. The signal aborts when the loop is closed. */
  work: (signal: AbortSignal) => Promise<boolean>;
  /** How long the loop waits for a wake-up when nothing is left: work without a wake-up is found then. */
  pollMs: number;
  /** Called with each failure except those of a loop that is being closed. */
  onError: (error: unknown) => void;
  /** The pause after a failure; it doubles with each further one, up to `backoffMaxMs`. Default: 250 ms to 2 s. */
  backoffMs?: number;
  backoffMaxMs?: number;
}

const BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 2_000;

/**
 * Works until nothing is left, then waits for a wake-up or the next poll. After a failure it pauses for longer each
 * time, and a wake-up does not shorten that: what fails is not hammered because much of it is to be done.
 */
export function startLoop({
  work,
  pollMs,
  onError,
  backoffMs = BACKOFF_MS,
  backoffMaxMs = BACKOFF_MAX_MS,
}: LoopOptions): Loop {
  const closing = new AbortController();
  const { signal } = closing;
  let woken = false;
  let interruptIdling: () => void = () => undefined;

  const pause = (ms: number, isIdle: boolean) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      if (isIdle) interruptIdling = end;
    });

  const run = async () => {
    let failures = 0;
    while (!signal.aborted) {
      woken = false;
      try {
        const mayBeMore = await work(signal);
        failures = 0;
        if (!mayBeMore && !woken && !signal.aborted) await pause(pollMs, true);
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await pause(Math.min(backoffMaxMs, backoffMs * 2 ** failures), false);
        failures += 1;
      }
    }
  };
  const running = run();

  return {
    wake() {
      woken = true;
      interruptIdling();
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}
