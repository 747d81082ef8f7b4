export interface RateLimit {
  /** More than 0. */
  requestsPerSecond: number;
  /** At least 1. */
  burst: number;
}

/** A rate and whose requests it counts. */
export interface SubjectRate extends RateLimit {
  /** The key (or OAuth client), or the tenant for all of its keys together. */
  subjectId: string;
  policy: 'default' | 'tenant';
}

/** Whether there is a limit to enforce; without one nothing may be admitted. */
export function isBounded({ requestsPerSecond, burst }: RateLimit): boolean {
  return requestsPerSecond > 0 && burst >= 1;
}
