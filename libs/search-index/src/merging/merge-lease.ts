import type { Database, Tx } from '@cairn/postgres';
import type { MergeLane } from './merge-policy.ts';
import type { IndexScope } from '../search-index.ts';

/** The right to merge in one lane of a memory, for a while. A later lease has a higher epoch and makes this one void. */
export interface MergeLease {
  memory: IndexScope;
  lane: MergeLane;
  epoch: number;
}

/** Which memories may be merged; the owner of the tables may set some of them aside. */
export interface MergePermission {
  /** SQL that is true where the row of `alias` belongs to a memory that may be merged. */
  condition(alias: string): string;
  /** True for the error by which the database refuses a write to a memory that has been set aside meanwhile. */
  isRefusal(error: unknown): boolean;
}

interface LeaseSettings {
  database: Database;
  leaseMs: number;
  permission: MergePermission;
}

/** Takes the lease when nobody holds it, else null; also null when the memory has no index or may not be merged. */
export async function takeLease(
  { database, leaseMs, permission }: LeaseSettings,
  memory: IndexScope,
  lane: MergeLane,
  owner: string,
): Promise<MergeLease | null> {
  const rows = await database.transaction((tx) =>
    tx.query<{ epoch: number }>({
      name: 'index_take_lease',
      text: `INSERT INTO index_merge_leases AS lease (tenant_id, memory_id, lane, owner, until)
             SELECT tenant_id, memory_id, $3::smallint, $4::text, now() + make_interval(secs => $5 / 1000.0)
               FROM index_memories AS indexed
              WHERE tenant_id = $1 AND memory_id = $2 AND ${permission.condition('indexed')} FOR KEY SHARE
             ON CONFLICT (tenant_id, memory_id, lane) DO UPDATE
               SET owner = excluded.owner, until = excluded.until, epoch = lease.epoch + 1
               WHERE lease.until < now()
             RETURNING epoch`,
      values: [memory.tenantId, memory.memoryId, lane, owner, leaseMs],
    }),
  );
  const row = rows[0];
  return row === undefined ? null : { memory, lane, epoch: row.epoch };
}

/** Holds the lease for `leaseMs` from now; 0 releases it. False when it was lost. */
export async function renewLease(database: Database, lease: MergeLease, leaseMs: number): Promise<boolean> {
  const renewed = await database.transaction((tx) =>
    tx.execute({
      name: 'index_renew_lease',
      text: `UPDATE index_merge_leases SET until = now() + make_interval(secs => $5 / 1000.0)
              WHERE tenant_id = $1 AND memory_id = $2 AND lane = $3 AND epoch = $4`,
      values: [...keyOf(lease), lease.epoch, leaseMs],
    }),
  );
  return renewed === 1;
}

/** True when the lease is still the last one given; nobody takes it before this transaction ends. */
export async function holdsLease(tx: Tx, lease: MergeLease): Promise<boolean> {
  const rows = await tx.query({
    name: 'index_hold_lease',
    text: `SELECT 1 FROM index_merge_leases WHERE tenant_id = $1 AND memory_id = $2 AND lane = $3 AND epoch = $4 FOR UPDATE`,
    values: [...keyOf(lease), lease.epoch],
  });
  return rows.length === 1;
}

function keyOf(lease: MergeLease): unknown[] {
  return [lease.memory.tenantId, lease.memory.memoryId, lease.lane];
}
