/** Something started; `close` lets work in flight end, within a bound. */
export interface Running {
  close(): Promise<void>;
}

/** Closes in the reverse order of the start what was started; each gets its turn even when one before it fails. */
export function closeInReverse(started: readonly (Running | (() => Promise<void>) | null)[]): Running {
  return {
    async close() {
      const failures: unknown[] = [];
      for (const each of started.toReversed()) {
        try {
          await (typeof each === 'function' ? each() : each?.close());
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'some components did not close');
    },
  };
}
