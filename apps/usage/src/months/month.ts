/** The month of an ISO date or time, as its first day. */
export function monthOf(iso: string): string {
  return `${iso.slice(0, 7)}-01`;
}

/** The UTC month of a time, as its first day. */
export function monthAt(at: Date): string {
  return monthOf(at.toISOString());
}

export function monthAfter(month: string, by = 1): string {
  const first = new Date(`${month}T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + by);
  return monthAt(first);
}
