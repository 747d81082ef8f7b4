/** Does the work at once and then every `everyMs`, one at a time; closing waits for what has begun. */
export function repeat(
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { close(): Promise<void> } {
  let working: Promise<unknown> | null = null;
  const begin = () => {
    working ??= work()
      .catch(onError)
      .finally(() => {
        working = null;
      });
  };
  begin();
  const timer = setInterval(begin, everyMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}
