const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** The instant that an option names; a time without an offset is UTC. Throws for anything else. */
export function parseTime(option: string, text: string): Date {
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/.test(text.slice(text.indexOf('T')));
  const time = new Date(text.includes('T') && !hasOffset ? `${text}Z` : text);
  if (!ISO_TIME.test(text) || Number.isNaN(time.getTime()))
    throw new Error(`${option} must be a time such as 2026-11-22T14:00:00Z, not “${text}”.`);
  return time;
}
