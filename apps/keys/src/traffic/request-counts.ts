import { timestampDate } from '@bufbuild/protobuf/wkt';
import { REQUEST_DURATION_BOUNDS_MS, type UsageReport } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';

type RequestCount = UsageReport['requests'][number];

const HOUR_MS = 3_600_000;
const RETENTION_DAYS = 90;
/** Of one sweep; the next one goes on. */
const DELETE_MAX = 100_000;

/** Adds requests to those of their hour; those of tenants that are gone, or were never there, are dropped. */
export async function addRequestCounts(tx: Tx, counts: readonly RequestCount[]): Promise<[]> {
  const groups = mergeAlike(counts);
  await tx.execute(
    // Held until the commit, so that erasing a tenant waits and finds what is added here. One that is being erased is
    // not waited for, because its erasure may wait for a row that this transaction holds.
    `WITH known AS (
       SELECT tenant_id FROM tenants WHERE tenant_id = ANY($1) FOR KEY SHARE SKIP LOCKED)
     INSERT INTO request_counts (tenant_id, hour, key_id, operation, status_class, requests, durations)
     SELECT tenant_id, hour, key_id, operation, status_class, requests, durations::bigint[]
       FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::text[])
         AS report (tenant_id, hour, key_id, operation, status_class, requests, durations)
      WHERE tenant_id IN (SELECT tenant_id FROM known)
      -- In one order, so that the reports of two gateways do not deadlock.
      ORDER BY 1, 2, 3, 4, 5
     ON CONFLICT (tenant_id, hour, key_id, operation, status_class) DO UPDATE
       SET requests = request_counts.requests + excluded.requests,
           durations = ARRAY(SELECT before + more FROM unnest(request_counts.durations, excluded.durations) AS each (before, more))`,
    [
      groups.map(({ tenantId }) => tenantId),
      groups.map(({ hour }) => hour),
      groups.map(({ keyId }) => keyId),
      groups.map(({ operation }) => operation),
      groups.map(({ statusClass }) => statusClass),
      groups.map(({ requests }) => requests),
      groups.map(({ durations }) => `{${durations.join(',')}}`),
    ],
  );
  return [];
}

/**
 * Each group once, because a statement changes a row once. The clock of a gateway may be ahead: what it counts as later
 * belongs to the present hour.
 */
function mergeAlike(counts: readonly RequestCount[]): (RequestCount & { hour: Date })[] {
  const now = Date.now();
  const merged = new Map<string, RequestCount & { hour: Date }>();
  for (const count of counts) {
    const atMs = count.at === undefined ? now : Math.min(timestampDate(count.at).getTime(), now);
    const hour = new Date(Math.floor(atMs / HOUR_MS) * HOUR_MS);
    const name = [count.tenantId, count.keyId, count.operation, count.statusClass, hour.getTime()].join('\0');
    const known = merged.get(name);
    const durations = Array.from(
      { length: REQUEST_DURATION_BOUNDS_MS.length + 1 },
      (_, bucket) => (known?.durations[bucket] ?? 0n) + (count.durations[bucket] ?? 0n),
    );
    merged.set(name, { ...count, hour, requests: (known?.requests ?? 0n) + count.requests, durations });
  }
  return [...merged.values()];
}

/** Deletes what has had its time. */
export async function deleteOldRequestCounts(tx: Tx): Promise<void> {
  await tx.execute(
    `DELETE FROM request_counts WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM request_counts WHERE hour < now() - make_interval(days => ${RETENTION_DAYS}) LIMIT ${DELETE_MAX}))`,
  );
}
