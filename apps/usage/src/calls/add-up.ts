import type { StoredCall } from './call-store.ts';

/** One row to add to the roll-ups. An empty id covers all ids of the dimension. */
export interface Rollup {
  tenantId: string;
  dimension: string;
  id: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  model: string;
  /** In the order of ROLLUP_FIGURES. */
  figures: readonly number[];
}

/** The dimensions that have ids besides the tenant's own, with the field of a call that says which. */
const DIMENSIONS = [
  ['workspace', 'workspace_id'],
  ['memory', 'memory_id'],
  ['space', 'space_id'],
  ['conversation', 'conversation_id'],
  ['user', 'user_id'],
  ['api_key', 'api_key_id'],
] as const;

/** What the calls of one tenant, day and model add up to: in all, and by the ids of each dimension. */
interface Group {
  tenantId: string;
  day: string;
  model: string;
  all: number[];
  dimensions: Map<string, number[]>[];
}

/**
 * What calls add up to, one row for each dimension, id, day and model: what `rollupsOf` says in SQL. Here because
 * PostgreSQL takes several times as long to sort and group ten rows a call. Sorted, so that everybody who writes
 * roll-ups locks them in one order.
 */
export function addUp(calls: readonly StoredCall[]): Rollup[] {
  const groups = new Map<string, Group>();
  for (const call of calls) {
    const group = groupOf(groups, call);
    const figures = figuresOf(call);
    addTo(group.all, figures);
    DIMENSIONS.forEach(([, field], n) => {
      const id = call[field];
      if (id === null) return;
      const sums = group.dimensions[n]!;
      for (const covered of [id, '']) {
        const known = sums.get(covered);
        if (known === undefined) sums.set(covered, [...figures]);
        else addTo(known, figures);
      }
    });
  }
  return sortedByName(groups).flatMap(([, group]) => rollupsOfGroup(group));
}

function groupOf(groups: Map<string, Group>, { tenant_id: tenantId, model, occurred_at }: StoredCall): Group {
  const day = occurred_at.toISOString().slice(0, 10);
  // No part holds a NUL: `readCall` refuses it.
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
    for (const [id, figures] of sortedByName(sums)) rollups.push({ tenantId, dimension, id, day, model, figures });
  });
  return rollups;
}

function sortedByName<T>(named: ReadonlyMap<string, T>): [string, T][] {
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1));
}

const FIGURES = 9;

/** What one call adds. */
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

/** Throws for a sum that a number does not hold exactly: the batch is then written call by call, without sums. */
function addTo(sums: number[], figures: readonly number[]): void {
  for (let n = 0; n < FIGURES; n += 1) {
    const sum = sums[n]! + figures[n]!;
    if (sum > Number.MAX_SAFE_INTEGER && sums[n] !== 0)
      throw new RangeError('the calls of a batch add up to more than a number holds exactly');
    sums[n] = sum;
  }
}
