/** What several callers saw. */
export interface AnsweredCalls {
  /** Of each call, in milliseconds, in the order of the answers. */
  times: number[];
  tookMs: number;
  perSecond: number;
}

/** So many callers at a time, each of which takes the next item as soon as its call is answered; the first error ends it. */
export async function callInTurns<Item>(
  items: Iterable<Item>,
  callers: number,
  call: (item: Item) => Promise<unknown>,
): Promise<AnsweredCalls> {
  const times: number[] = [];
  // One for all of them: `for … of` would close it when the first of them ends.
  const left = items[Symbol.iterator]();
  const caller = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      const calledMs = performance.now();
      await call(next.value);
      times.push(performance.now() - calledMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const tookMs = performance.now() - startedMs;
  return { times, tookMs, perSecond: (1_000 * times.length) / tookMs };
}
