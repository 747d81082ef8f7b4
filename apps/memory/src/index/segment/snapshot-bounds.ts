/** What a PostgreSQL snapshot sees: transactions below `xmax` that are not in progress. From `pg_current_snapshot()`. */
export interface SnapshotBounds {
  xmin: bigint;
  xmax: bigint;
  inProgress: ReadonlySet<bigint>;
}

/** Reads `xmin:xmax:xip,xip`. */
export function parseSnapshot(text: string): SnapshotBounds {
  const [xmin = '0', xmax = '0', list = ''] = text.split(':');
  const inProgress = list === '' ? [] : list.split(',').map(BigInt);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), inProgress: new Set(inProgress) };
}

/** True when every transaction that `earlier` sees is seen by `later` too. */
export function seesAllOf(later: SnapshotBounds, earlier: SnapshotBounds): boolean {
  if (earlier.xmax > later.xmax) return false;
  for (const xid of later.inProgress) if (xid < earlier.xmax && !earlier.inProgress.has(xid)) return false;
  return true;
}
