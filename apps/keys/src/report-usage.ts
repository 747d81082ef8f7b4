import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { UsageReport } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';

const GATEWAY_ID_MAX_CHARS = 128;
const ENTRIES_MAX = 10_000;
/** Longer than a gateway can be silent and still come back as the same boot. */
const REPORTS_KEPT_DAYS = 7;

/** Whom use counts for: the table and its id. */
const COUNTED = [
  ['api_keys', 'key_id'],
  ['oauth_clients', 'client_id'],
] as const;

/** Adds a gateway's report to what credentials were used; a report that was added before changes nothing. */
export async function reportUsage(parts: { workerDatabase: Database }, report: UsageReport): Promise<void> {
  const { gatewayId, sequence, usage } = report;
  if (gatewayId === '' || gatewayId.length > GATEWAY_ID_MAX_CHARS)
    throw validationFailed([{ path: 'gateway_id', message: `must have 1 to ${GATEWAY_ID_MAX_CHARS} characters` }]);
  if (sequence < 1n) throw validationFailed([{ path: 'sequence', message: 'counts from 1' }]);
  if (usage.length > ENTRIES_MAX)
    throw validationFailed([{ path: 'usage', message: `has more than ${ENTRIES_MAX} entries` }]);
  await parts.workerDatabase.transaction(async (tx) => {
    const fresh = await tx.execute(
      `INSERT INTO usage_reports (gateway_id, sequence) VALUES ($1, $2)
       ON CONFLICT (gateway_id) DO UPDATE SET sequence = excluded.sequence, reported_at = now()
         WHERE usage_reports.sequence < excluded.sequence`,
      [gatewayId, sequence],
    );
    if (fresh > 0) await addUsage(tx, usage);
  });
}

async function addUsage(tx: Tx, usage: UsageReport['usage']): Promise<void> {
  const columns = [
    usage.map(({ keyId }) => keyId),
    usage.map(({ count }) => count),
    usage.map(({ lastUsedAt }) => (lastUsedAt === undefined ? null : timestampDate(lastUsedAt))),
  ];
  for (const [table, id] of COUNTED) {
    // In one order, so that the reports of two gateways about the same keys do not wait for each other in a circle.
    await tx.execute(`SELECT FROM ${table} WHERE ${id} = ANY($1) ORDER BY ${id} FOR NO KEY UPDATE`, [columns[0]]);
    // A gateway whose clock is ahead must not say that a key was used tomorrow.
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
}

/** Forgets gateways that have long been gone. */
export async function forgetOldReports(tx: Tx): Promise<void> {
  await tx.execute('DELETE FROM usage_reports WHERE reported_at < now() - make_interval(days => $1)', [
    REPORTS_KEPT_DAYS,
  ]);
}
