import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { monthAfter, monthAt } from '../calls/months.ts';
import { rebuildRollups } from './rebuild.ts';

const CHECK_AFTER_HOUR_UTC = 2;

/**
 * Compares the roll-ups of this month and the one before with the calls, once a night and by one replica. A
 * difference is an alert and is left as it is, for `cairn usage rebuild`.
 */
export async function checkNightly(parts: {
  workerDatabase: Database;
  maintenanceDatabase: Database;
  now: () => Date;
  logger: Logger;
}): Promise<void> {
  const now = parts.now();
  if (now.getUTCHours() < CHECK_AFTER_HOUR_UTC) return;
  const night = now.toISOString().slice(0, 10);
  const claimed = await parts.workerDatabase.transaction((tx) =>
    tx.execute('INSERT INTO rollup_checks (night) VALUES ($1) ON CONFLICT DO NOTHING', [night]),
  );
  if (claimed === 0) return;
  const month = monthAt(now);
  const found = await rebuildRollups(parts, {
    fromMonth: monthAfter(month, -1),
    toMonth: month,
    tenantId: null,
    check: true,
  });
  await parts.workerDatabase.transaction((tx) =>
    tx.execute('UPDATE rollup_checks SET differing_rows = $2 WHERE night = $1', [night, found.differingRows]),
  );
  if (found.differingRows > 0)
    parts.logger.error(
      { alert: 'usage_does_not_add_up', rows: found.differingRows, differences: found.differences },
      'roll-ups or accounts are not what calls and charges add up to',
    );
  else parts.logger.info({ calls: found.calls, rows: found.rollupRows }, 'roll-ups are what the calls add up to');
}
