const YEAR_MAX = 9_999;

/** A time that a document states, as ISO 8601; null when it is none, or of a year that ISO 8601 writes with a sign. */
export function statedTime(said: string): string | null {
  const time = new Date(said);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= YEAR_MAX ? time.toISOString() : null;
}
