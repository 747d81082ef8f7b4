import type { Database } from '@cairn/postgres';
import { monthAfter, monthAt } from './month.ts';

/** How many months after the present one have their partitions already. */
const MONTHS_AHEAD = 3;

export interface MonthPartitions {
  /** Creates the partitions of these months where they are missing. */
  ensure(months: Iterable<string>): Promise<void>;
  /** Creates those of the present month and the next ones. */
  ensureAhead(now: Date): Promise<void>;
}

/** Remembers which months have partitions; none is dropped while the service runs. */
export function createMonthPartitions(workerDatabase: Database): MonthPartitions {
  const existing = new Set<string>();
  const ensure = async (months: Iterable<string>) => {
    for (const month of new Set(months)) {
      if (existing.has(month)) continue;
      await workerDatabase.transaction((tx) => tx.query('SELECT make_usage_month($1::date)', [month]));
      existing.add(month);
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
