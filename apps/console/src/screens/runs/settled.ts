const SETTLED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'expired']);

/** Nothing will happen in this run any more. */
export function isSettled(status: string): boolean {
  return SETTLED.has(status);
}
