import { REQUEST_DURATION_BOUNDS_MS } from '@cairn/contracts';

/** A request that was permitted, after it was answered: also with 429, beyond its rate or quota. */
export interface AnsweredRequest {
  tenantId: string;
  /** The key, or the client of an OAuth token. */
  keyId: string;
  operation: string;
  status: number;
  /** Null for a stream, which lasts as long as somebody listens. */
  durationMs: number | null;
}

/** Requests that were alike, of one hour. */
export interface RequestGroup {
  tenantId: string;
  keyId: string;
  operation: string;
  /** First digit of the status. */
  statusClass: number;
  atMs: number;
  requests: number;
  /** By `REQUEST_DURATION_BOUNDS_MS`. */
  durations: number[];
}

const HOUR_MS = 3_600_000;
/** Switching Protocols: a connection that was opened as it was asked for. */
const UPGRADED = 101;

/** Counts requests by credential, operation, outcome and hour until they are taken. */
export class RequestSeries {
  readonly #groups = new Map<string, RequestGroup>();
  readonly #groupsMax: number;
  readonly #now: () => number;

  /** Beyond `groupsMax` groups, requests that belong to none of them are not counted. */
  constructor(groupsMax: number, now: () => number = Date.now) {
    this.#groupsMax = groupsMax;
    this.#now = now;
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** False when there was no room for it. */
  add({ tenantId, keyId, operation, status, durationMs }: AnsweredRequest): boolean {
    const atMs = this.#now();
    const statusClass = status === UPGRADED ? 2 : Math.floor(status / 100);
    const name = `${keyId} ${operation} ${statusClass} ${Math.floor(atMs / HOUR_MS)}`;
    let group = this.#groups.get(name);
    if (group === undefined) {
      if (this.#groups.size >= this.#groupsMax) return false;
      const durations = Array.from({ length: REQUEST_DURATION_BOUNDS_MS.length + 1 }, () => 0);
      group = { tenantId, keyId, operation, statusClass, atMs, requests: 0, durations };
      this.#groups.set(name, group);
    }
    group.requests += 1;
    if (durationMs !== null) group.durations[bucketOf(durationMs)]! += 1;
    return true;
  }

  /** Takes up to so many groups out. */
  take(max: number): RequestGroup[] {
    const taken = [...this.#groups].slice(0, max);
    for (const [name] of taken) this.#groups.delete(name);
    return taken.map(([, group]) => group);
  }
}

function bucketOf(durationMs: number): number {
  const bucket = REQUEST_DURATION_BOUNDS_MS.findIndex((bound) => durationMs <= bound);
  return bucket === -1 ? REQUEST_DURATION_BOUNDS_MS.length : bucket;
}
