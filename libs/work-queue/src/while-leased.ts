/** Another owner claimed the row, or the row is gone: the work ends and commits nothing. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

interface Heartbeat {
  everyMs: number;
  /** Extends the lease; false when it was lost. */
  extend: () => Promise<boolean>;
  /**
   * Receives failures of `extend`. They are no loss: while the database is away nobody else can claim, and what is
   * written later is fenced. Default: they are ignored, and the next heartbeat tries again.
   */
  onError?: (error: unknown) => void;
}

/** Does the work while a heartbeat extends its lease, however long it takes. The signal aborts when the lease is lost. */
export async function whileLeased<T>(
  { everyMs, extend, onError = () => undefined }: Heartbeat,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const timer = setInterval(() => {
    extend().then((isHeld) => {
      if (!isHeld) lost.abort(new LeaseLostError());
    }, onError);
  }, everyMs);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
  }
}
