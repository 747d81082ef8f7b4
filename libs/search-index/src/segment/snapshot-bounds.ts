/** What a PostgreSQL snapshot sees: transactions below `xmax` that are not in progress. From `pg_current_snapshot()`. */
export interface SnapshotBounds {
  xmin: bigint;
  xmax: bigint;
  /** Null when it is not known, as on a replica: PostgreSQL shows none there, though there may be some. */
  inProgress: ReadonlySet<bigint> | null;
}

/** Reads `xmin:xmax:xip,xip`; of a replica's only the bounds mean anything. */
export function parseSnapshot(text: string, isReplica = false): SnapshotBounds {
  const [xmin = '0', xmax = '0', list = ''] = text.split(':');
  const inProgress = list === '' ? [] : list.split(',').map(BigInt);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), inProgress: isReplica ? null : new Set(inProgress) };
}

/** True when every transaction that `earlier` sees is certainly seen by `later` too. */
export function seesAllOf(later: SnapshotBounds, earlier: SnapshotBounds): boolean {
  if (earlier.xmax > later.xmax) return false;
  if (later.inProgress === null) return earlier.xmax <= later.xmin;
  for (const xid of later.inProgress) if (xid < earlier.xmax && earlier.inProgress?.has(xid) !== true) return false;
  return true;
}
