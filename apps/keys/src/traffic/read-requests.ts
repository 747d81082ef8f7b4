import type * as operations from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import { type Database, sqlBuilder, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { percentile } from './percentile.ts';

type Context = RequestContext<typeof operations.readRequests>;
type Response = JsonResponse<typeof operations.readRequests>;
type Figures = Response['body']['totals'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_MS = { hour: DAY_MS, day: 30 * DAY_MS, operation: DAY_MS, key: DAY_MS };
/** As long as requests are counted. */
const LONGEST_MS = 92 * DAY_MS;
/** A longer time by the hour is better read by the day. */
const LONGEST_BY_HOUR_MS = 31 * DAY_MS;
const ROWS_MAX = 1_000;

/** The requests of the caller's tenant by hour, day, operation or credential. */
export async function readRequests(
  deps: { database: Database; now: () => Date },
  { identity, query }: Context,
): Promise<Response> {
  const { from, to } = rangeOf(query, deps.now());
  const { counted, timed } = await deps.database.withTenant(
    identity.tenantId,
    async (tx) => ({
      counted: await tx.run<Counted>(countsOf(query, identity.tenantId, from, to)),
      timed: await readDurations(tx, query, identity.tenantId, from, to),
    }),
    { mode: 'snapshot' },
  );
  const keys = [...new Set(counted.map(({ key }) => key))];
  const rows = keys.map((key) => ({
    key,
    ...figuresOf(
      counted.filter((row) => row.key === key),
      timed.filter((row) => row.key === key),
    ),
  }));
  const isTime = query.group_by === 'hour' || query.group_by === 'day';
  const series = rows.toSorted((a, b) =>
    isTime ? a.key.localeCompare(b.key) : b.requests - a.requests || a.key.localeCompare(b.key),
  );
  return {
    body: {
      totals: figuresOf(counted, timed),
      series: series.slice(0, ROWS_MAX),
      from: from.toISOString(),
      to: to.toISOString(),
    },
  };
}

/** Whole hours: the one of `from`, and up to the end of that before `to`. */
function rangeOf(query: Context['query'], now: Date): { from: Date; to: Date } {
  const toMs = query.to === undefined ? now.getTime() : Date.parse(query.to);
  const fromMs = query.from === undefined ? toMs - DEFAULT_MS[query.group_by] : Date.parse(query.from);
  const longest = query.group_by === 'hour' ? LONGEST_BY_HOUR_MS : LONGEST_MS;
  if (fromMs >= toMs) throw validationFailed([{ path: 'from', message: 'must be before to' }]);
  if (toMs - fromMs > longest)
    throw validationFailed([{ path: 'from', message: `is more than ${longest / DAY_MS} days before to` }]);
  return { from: new Date(Math.floor(fromMs / HOUR_MS) * HOUR_MS), to: new Date(toMs) };
}

interface Counted {
  key: string;
  status_class: number;
  requests: number;
}

interface Timed {
  key: string;
  /** Counts from 1. */
  bucket: number;
  requests: number;
}

const KEYS = {
  hour: `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:00:00"Z"')`,
  day: `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  operation: 'operation',
  key: 'key_id',
} as const;

function within(query: Context['query'], tenantId: string, from: Date, to: Date) {
  const select = sqlBuilder('request_counts')
    .where('tenant_id', tenantId)
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .groupByRaw('1, 2');
  if (query.key_id !== undefined) void select.where('key_id', query.key_id);
  if (query.operation !== undefined) void select.where('operation', query.operation);
  if (query.status_class !== undefined) void select.where('status_class', Number(query.status_class[0]));
  return select;
}

function countsOf(query: Context['query'], tenantId: string, from: Date, to: Date) {
  return within(query, tenantId, from, to).select(
    sqlBuilder.raw(`${KEYS[query.group_by]} AS key`),
    'status_class',
    sqlBuilder.raw('sum(requests)::bigint AS requests'),
  );
}

function readDurations(tx: Tx, query: Context['query'], tenantId: string, from: Date, to: Date): Promise<Timed[]> {
  const select = within(query, tenantId, from, to)
    .joinRaw('CROSS JOIN LATERAL unnest(durations) WITH ORDINALITY AS taken (count, bucket)')
    .select(
      sqlBuilder.raw(`${KEYS[query.group_by]} AS key`),
      sqlBuilder.raw('taken.bucket::int AS bucket'),
      sqlBuilder.raw('sum(taken.count)::bigint AS requests'),
    );
  return tx.run<Timed>(select);
}

function figuresOf(counted: readonly Counted[], timed: readonly Timed[]): Figures {
  const sum = (ofClass: (statusClass: number) => boolean) =>
    counted.reduce((total, row) => total + (ofClass(row.status_class) ? row.requests : 0), 0);
  const buckets: number[] = [];
  for (const { bucket, requests } of timed) buckets[bucket - 1] = (buckets[bucket - 1] ?? 0) + requests;
  return {
    requests: sum(() => true),
    client_errors: sum((statusClass) => statusClass === 4),
    server_errors: sum((statusClass) => statusClass === 5),
    p50_ms: percentile(buckets, 0.5),
    p95_ms: percentile(buckets, 0.95),
  };
}
