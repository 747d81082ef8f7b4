/** The UTC month of a time, like 2026-11. */
export function monthOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 7);
}

/** When the next UTC month begins, in milliseconds since 1970. */
export function nextMonthOf(wallMs: number): number {
  const date = new Date(wallMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
