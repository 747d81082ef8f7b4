import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { UsageReport } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { addRequestCounts } from '../traffic/request-counts.ts';
import { isolateFailingRows } from '../isolate-failing-rows.ts';

const GATEWAY_ID_MAX_CHARS = 128;
const ENTRIES_MAX = 10_000;
/** Longer than a gateway process can be silent and still resume. */
const REPORTS_RETENTION_DAYS = 7;

/** Where usage is counted: the table and its id column. */
const COUNTED = [
  ['api_keys', 'key_id'],
  ['oauth_clients', 'client_id'],
] as const;

/** Adds a gateway's report to the usage of credentials; a report that was added before changes nothing. */
export async function reportUsage(
  deps: { workerDatabase: Database; logger: Pick<Logger, 'warn'> },
  report: UsageReport,
): Promise<void> {
  const { gatewayId, sequence, usage, requests } = report;
  if (gatewayId === '' || gatewayId.length > GATEWAY_ID_MAX_CHARS)
    throw validationFailed([{ path: 'gateway_id', message: `must have 1 to ${GATEWAY_ID_MAX_CHARS} characters` }]);
  if (sequence < 1n) throw validationFailed([{ path: 'sequence', message: 'counts from 1' }]);
  for (const [path, entries] of Object.entries({ usage, requests }))
    if (entries.length > ENTRIES_MAX)
      throw validationFailed([{ path, message: `has more than ${ENTRIES_MAX} entries` }]);
  await isolateFailingRows(
    (run) =>
      deps.workerDatabase.transaction(async (tx) => {
        const fresh = await tx.execute(
          `INSERT INTO usage_reports (gateway_id, sequence) VALUES ($1, $2)
           ON CONFLICT (gateway_id) DO UPDATE SET sequence = excluded.sequence, reported_at = now()
             WHERE usage_reports.sequence < excluded.sequence`,
          [gatewayId, sequence],
        );
        if (fresh === 0) return;
        await run(tx, usage, (rows) => addUsage(tx, rows));
        await run(tx, requests, (rows) => addRequestCounts(tx, rows));
      }),
    (error, rows) =>
      deps.logger.warn(
        { err: error, rows },
        'usage reports: counting the usage of some credentials failed; it is dropped',
      ),
  );
}

async function addUsage(tx: Tx, usage: readonly UsageReport['usage'][number][]): Promise<[]> {
  const columns = [
    usage.map(({ keyId }) => keyId),
    usage.map(({ count }) => count),
    usage.map(({ lastUsedAt }) => (lastUsedAt === undefined ? null : timestampDate(lastUsedAt))),
  ];
  for (const [table, id] of COUNTED) {
    // In one order, so that the reports of two gateways about the same keys do not deadlock.
    await tx.execute(`SELECT FROM ${table} WHERE ${id} = ANY($1) ORDER BY ${id} FOR NO KEY UPDATE`, [columns[0]]);
    // A gateway whose clock is ahead must not report that a key was used tomorrow.
    await tx.execute(
      `UPDATE ${table}
          SET usage_count = usage_count + used.count, last_used_at = greatest(last_used_at, least(used.at, now()))
         FROM (SELECT key_id, sum(count) AS count, max(at) AS at
                 FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS report (key_id, count, at)
                GROUP BY key_id) used
        WHERE ${table}.${id} = used.key_id`,
      columns,
    );
  }
  return [];
}

/** Deletes the sequence numbers of gateways that are long gone. */
export async function deleteOldReports(tx: Tx): Promise<void> {
  await tx.execute('DELETE FROM usage_reports WHERE reported_at < now() - make_interval(days => $1)', [
    REPORTS_RETENTION_DAYS,
  ]);
}
