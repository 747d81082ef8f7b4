/** The UTC month of a time, like 2026-11. */
export function monthOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 7);
}

/** The UTC month that is so many months before that of a time. */
export function earlierMonth(wallMs: number, months: number): string {
  const date = new Date(wallMs);
  return monthOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
}

/** When the next UTC month begins, in milliseconds since 1970. */
export function nextMonthOf(wallMs: number): number {
  const date = new Date(wallMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
