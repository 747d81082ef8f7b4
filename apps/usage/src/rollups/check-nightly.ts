import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { monthAfter, monthAt } from '../months/month.ts';
import { rebuildRollups } from './rebuild-rollups.ts';

const CHECK_AFTER_HOUR_UTC = 2;

/**
 * Compares the roll-ups of this month and the one before with the calls, once a night and by one replica. A
 * difference is reported as an alert and repaired by `cairn operator usage rebuild` only.
 */
export async function checkNightly(deps: {
  workerDatabase: Database;
  maintenanceDatabase: Database;
  now: () => Date;
  logger: Logger;
}): Promise<void> {
  const now = deps.now();
  if (now.getUTCHours() < CHECK_AFTER_HOUR_UTC) return;
  const night = now.toISOString().slice(0, 10);
  const claimed = await deps.workerDatabase.transaction((tx) =>
    tx.execute('INSERT INTO rollup_checks (night) VALUES ($1) ON CONFLICT DO NOTHING', [night]),
  );
  if (claimed === 0) return;
  const month = monthAt(now);
  const found = await rebuildRollups(deps, {
    fromMonth: monthAfter(month, -1),
    toMonth: month,
    tenantId: null,
    check: true,
  });
  await deps.workerDatabase.transaction((tx) =>
    tx.execute('UPDATE rollup_checks SET differing_rows = $2 WHERE night = $1', [night, found.differingRows]),
  );
  if (found.differingRows > 0)
    deps.logger.error(
      { alert: 'usage_does_not_add_up', rows: found.differingRows, differences: found.differences },
      'nightly check: roll-ups or accounts differ from their calls and charges; run `cairn operator usage rebuild`',
    );
  else deps.logger.info({ calls: found.calls, rows: found.rollupRows }, 'nightly check: roll-ups match their calls');
}
