import type { StoredCall } from '../stores/call-store.ts';
import type { Rollup } from '../stores/rollup-store.ts';

/** The dimensions that have ids besides the tenant's own, with the field of a call that says which. */
const DIMENSIONS = [
  ['workspace', 'workspace_id'],
  ['memory', 'memory_id'],
  ['space', 'space_id'],
  ['conversation', 'conversation_id'],
  ['user', 'user_id'],
  ['api_key', 'api_key_id'],
] as const;

/** The sums of one tenant, day and model: in all, and by the ids of each dimension. */
interface Group {
  tenantId: string;
  day: string;
  model: string;
  all: number[];
  dimensions: Map<string, number[]>[];
}

/**
 * Aggregates calls into one row for each dimension, id, day and model, as `rollupsOf` does in SQL. Done here because
 * PostgreSQL takes several times as long to sort and group ten rows a call. Sorted, so that everybody who writes
 * roll-ups locks them in one order.
 */
export function aggregateCalls(calls: readonly StoredCall[]): Rollup[] {
  const groups = new Map<string, Group>();
  for (const call of calls) {
    const group = groupOf(groups, call);
    const figures = figuresOf(call);
    addTo(group.all, figures);
    DIMENSIONS.forEach(([, field], n) => {
      const id = call[field];
      if (id === null) return;
      const sums = group.dimensions[n]!;
      for (const key of [id, '']) {
        const sum = sums.get(key);
        if (sum === undefined) sums.set(key, [...figures]);
        else addTo(sum, figures);
      }
    });
  }
  return sortedByKey(groups).flatMap(([, group]) => rollupsOfGroup(group));
}

function groupOf(groups: Map<string, Group>, { tenant_id: tenantId, model, occurred_at }: StoredCall): Group {
  const day = occurred_at.toISOString().slice(0, 10);
  // No part contains a NUL: `readCall` refuses it.
  const name = `${tenantId}\0${day}\0${model}`;
  let group = groups.get(name);
  if (group === undefined) {
    group = { tenantId, day, model, all: Array(FIGURES).fill(0), dimensions: DIMENSIONS.map(() => new Map()) };
    groups.set(name, group);
  }
  return group;
}

function rollupsOfGroup({ tenantId, day, model, all, dimensions }: Group): Rollup[] {
  const rollups: Rollup[] = [{ tenantId, dimension: 'tenant', id: '', day, model, figures: all }];
  dimensions.forEach((sums, n) => {
    const dimension = DIMENSIONS[n]![0];
    for (const [id, figures] of sortedByKey(sums)) rollups.push({ tenantId, dimension, id, day, model, figures });
  });
  return rollups;
}

function sortedByKey<T>(entries: ReadonlyMap<string, T>): [string, T][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}

const FIGURES = 9;

/** What one call contributes. */
function figuresOf(call: StoredCall): number[] {
  const { input_tokens: input, output_tokens: output } = call;
  return [
    1,
    call.cost_nano_usd === null ? 1 : 0,
    input,
    output,
    call.cached_input_tokens,
    call.reasoning_tokens,
    call.byok ? input + output : 0,
    call.cost_nano_usd ?? 0,
    call.micro_credits,
  ];
}

/** Throws for a sum that a number cannot represent exactly: the batch is then written call by call, without sums. */
function addTo(sums: number[], figures: readonly number[]): void {
  for (let n = 0; n < FIGURES; n += 1) {
    const sum = sums[n]! + figures[n]!;
    if (sum > Number.MAX_SAFE_INTEGER && sums[n] !== 0)
      throw new RangeError('the sum of a batch exceeds the exact range of a number');
    sums[n] = sum;
  }
}
