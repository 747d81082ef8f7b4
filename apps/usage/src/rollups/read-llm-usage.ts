import type * as operations from '@cairn/contracts';
import type { UsageDimension, UsageGroup } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { ROLLUP_FIGURES } from '../stores/rollup-store.ts';
import { MICRO } from '../stores/account-store.ts';

type Figures = Record<(typeof ROLLUP_FIGURES)[number], bigint>;
type UsageResponse = JsonResponse<typeof operations.readLlmUsage>;

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
const NANO = 1e9;
/** There is no usage before; also keeps years out of range away from PostgreSQL. */
const EARLIEST_DAY = '2000-01-01';

/** Usage of the caller's tenant. An unknown id, or another tenant's, has none. */
export async function readLlmUsage(
  deps: { database: Database; now: () => Date },
  context: RequestContext<typeof operations.readLlmUsage>,
): Promise<UsageResponse> {
  const { identity, query } = context;
  const { from, to } = resolveDays(query, deps.now());
  const where = { ...rollupKeyOf(query.dimension, query.id, identity.tenantId), from, to };
  const groups = await deps.database.withTenant(
    identity.tenantId,
    (tx) => readGroups(tx, identity.tenantId, where, query.group_by),
    { mode: 'snapshot' },
  );
  const totals = Object.fromEntries(
    ROLLUP_FIGURES.map((figure) => [figure, groups.reduce((sum, { figures }) => sum + figures[figure], 0n)]),
  ) as Figures;
  const series = groups.map(({ name, figures }) => ({ ...name, ...presentFigures(figures) }));
  return { body: { totals: presentFigures(totals), series, from, to } };
}

/** The requested UTC days, both inclusive. */
function resolveDays(query: { from?: string | undefined; to?: string | undefined }, now: Date) {
  const to = query.to ?? now.toISOString().slice(0, 10);
  const from = query.from ?? new Date(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  if (from > to)
    throw validationFailed([{ path: 'from', message: query.to === undefined ? 'is after today' : 'is after to' }]);
  return { from, to };
}

interface RollupKey {
  dimension: Exclude<UsageDimension, 'model'>;
  /** Empty: all ids of the dimension. Null: none, since the requested tenant is not the caller's. */
  id: string | null;
  model: string | null;
}

function rollupKeyOf(dimension: UsageDimension, id: string | undefined, tenantId: string): RollupKey {
  if (dimension === 'model') return { dimension: 'tenant', id: '', model: id ?? null };
  if (dimension === 'tenant') return { dimension, id: id === undefined || id === tenantId ? '' : null, model: null };
  return { dimension, id: id ?? '', model: null };
}

interface GroupName {
  key: string;
  day?: string;
  model?: string;
}

const GROUP_COLUMNS: Readonly<Record<UsageGroup, readonly ('day' | 'model')[]>> = {
  day: ['day'],
  model: ['model'],
  day_and_model: ['day', 'model'],
};

async function readGroups(
  tx: Tx,
  tenantId: string,
  { dimension, id, model, from, to }: RollupKey & { from: string; to: string },
  groupBy: UsageGroup,
): Promise<{ name: GroupName; figures: Figures }[]> {
  const columns = GROUP_COLUMNS[groupBy];
  const grouped = columns.map((column) => `llm_rollups.${column}`).join(', ');
  const shown = columns.map((column) => (column === 'day' ? "to_char(day, 'YYYY-MM-DD') AS day" : column));
  const rows = await tx.query<{ day: string; model: string } & Record<string, string>>({
    // Sums of bigint are numeric, which arrives as text: exact beyond the range of a number.
    text: `SELECT ${[...shown, ...ROLLUP_FIGURES.map((figure) => `sum(${figure}) AS ${figure}`)].join(', ')}
             FROM llm_rollups
            WHERE tenant_id = $1 AND dimension = $2 AND id = $3 AND llm_rollups.day BETWEEN $4 AND $5
                  ${model === null ? '' : 'AND model = $6'}
            GROUP BY ${grouped} ORDER BY ${grouped}`,
    values: [
      tenantId,
      dimension,
      id,
      maxOf(from, EARLIEST_DAY),
      maxOf(to, EARLIEST_DAY),
      ...(model === null ? [] : [model]),
    ],
  });
  return rows.map((row) => ({
    name: nameOf(groupBy, row),
    figures: Object.fromEntries(ROLLUP_FIGURES.map((figure) => [figure, BigInt(row[figure]!)])) as Figures,
  }));
}

function nameOf(groupBy: UsageGroup, { day, model }: { day: string; model: string }): GroupName {
  if (groupBy === 'day_and_model') return { key: `${day}/${model}`, day, model };
  return { key: groupBy === 'day' ? day : model };
}

function maxOf(a: string, b: string): string {
  return a > b ? a : b;
}

/** The only place where integers become the fractions that the API shows. */
function presentFigures(figures: Figures): UsageResponse['body']['totals'] {
  const unpriced = figures.calls > 0n && figures.unpriced_calls === figures.calls;
  return {
    input_tokens: Number(figures.input_tokens),
    output_tokens: Number(figures.output_tokens),
    calls: Number(figures.calls),
    cost_usd: unpriced ? null : Number(figures.cost_nano_usd) / NANO,
    credits_charged: Number(figures.micro_credits) / MICRO,
    byok_tokens: Number(figures.byok_tokens),
    cached_input_tokens: Number(figures.cached_input_tokens),
    reasoning_tokens: Number(figures.reasoning_tokens),
    unpriced_calls: Number(figures.unpriced_calls),
  };
}
