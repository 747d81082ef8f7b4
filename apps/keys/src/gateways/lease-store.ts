import type { Database, Tx } from '@cairn/postgres';
import type { LeaseTable } from '@cairn/revocation';

export const LEASE_MS = 30_000;

export interface LeaseRequest {
  gatewayId: string;
  address: string;
  joining: boolean;
}

/**
 * Writes the lease down, and answers only when that is committed: a gateway's first resolve comes after it. False for
 * a membership that ran out or was fenced. Needs the worker role.
 */
export async function renewLease(workerDatabase: Database, request: LeaseRequest): Promise<boolean> {
  const { gatewayId, address, joining } = request;
  const touched = await workerDatabase.transaction((tx) =>
    joining
      ? tx.execute(
          `INSERT INTO gateway_leases (gateway_id, address, expires_at)
           VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000)) ON CONFLICT DO NOTHING`,
          [gatewayId, address, LEASE_MS],
        )
      : tx.execute(
          `UPDATE gateway_leases SET expires_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
            WHERE gateway_id = $1 AND NOT fenced AND expires_at > clock_timestamp()`,
          [gatewayId, LEASE_MS],
        ),
  );
  return touched > 0;
}

/** The leases as the coordinator sees them. Needs the worker role. */
export function leaseTable(workerDatabase: Database): LeaseTable {
  return {
    async live() {
      const rows = await workerDatabase.transaction((tx) =>
        tx.query<{ gateway_id: string; address: string; remaining_ms: number }>(
          `SELECT gateway_id, address, extract(epoch FROM expires_at - clock_timestamp()) * 1000 AS remaining_ms
             FROM gateway_leases WHERE expires_at > clock_timestamp()`,
        ),
      );
      return rows.map((row) => ({
        gatewayId: row.gateway_id,
        address: row.address,
        remainingMs: Number(row.remaining_ms),
      }));
    },
    async fence(gatewayId) {
      await workerDatabase.transaction((tx) =>
        tx.execute('UPDATE gateway_leases SET fenced = true WHERE gateway_id = $1', [gatewayId]),
      );
    },
  };
}

/** Forgets memberships that ended long ago. */
export async function forgetEndedLeases(tx: Tx): Promise<void> {
  await tx.execute("DELETE FROM gateway_leases WHERE expires_at < now() - interval '1 hour'");
}
