import type { Database } from '@cairn/postgres';

/** How many months after the present one have their partitions already. */
const MONTHS_AHEAD = 3;

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

export interface Months {
  /** Makes the partitions of these months where they are missing. */
  ensure(months: Iterable<string>): Promise<void>;
  /** Makes those of the present month and the next ones. */
  ensureAhead(now: Date): Promise<void>;
}

/** Knows which months have partitions; they are never taken away while the service runs. */
export function createMonths(workerDatabase: Database): Months {
  const made = new Set<string>();
  const ensure = async (months: Iterable<string>) => {
    for (const month of new Set(months)) {
      if (made.has(month)) continue;
      await workerDatabase.transaction((tx) => tx.query('SELECT make_usage_month($1::date)', [month]));
      made.add(month);
    }
  };
  return {
    ensure,
    async ensureAhead(now) {
      const present = monthAt(now);
      await ensure(Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => monthAfter(present, ahead)));
    },
  };
}
