import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { monthAfter, monthAt } from '../months/month.ts';
import { rebuildRollups } from './rebuild-rollups.ts';

const CHECK_AFTER_HOUR_UTC = 2;
/** Longer than a check takes: one that began before that and has not ended was killed. */
const CHECK_LOST_AFTER = '2 hours';

/**
 * Compares the roll-ups of this month and the one before with the calls, once a night and by one replica. What fails is
 * done again by the next call of that night. A difference is reported as an alert and repaired by
 * `cairn operator usage rebuild` only.
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
    tx.execute(
      `INSERT INTO rollup_checks (night) VALUES ($1)
       ON CONFLICT (night) DO UPDATE SET begun_at = now()
         WHERE rollup_checks.differing_rows IS NULL AND rollup_checks.begun_at < now() - $2::interval`,
      [night, CHECK_LOST_AFTER],
    ),
  );
  if (claimed === 0) return;
  const month = monthAt(now);
  const months = { fromMonth: monthAfter(month, -1), toMonth: month };
  const found = await rebuildRollups(deps, { ...months, tenantId: null, check: true }).catch(async (error: unknown) => {
    await deps.workerDatabase.transaction((tx) =>
      tx.execute('DELETE FROM rollup_checks WHERE night = $1 AND differing_rows IS NULL', [night]),
    );
    throw error;
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
