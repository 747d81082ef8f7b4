import type { Database, Tx } from '@cairn/postgres';
import type { LeaseTable } from '@cairn/revocation';

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

/** Deletes memberships that ended long ago. */
export async function deleteExpiredLeases(tx: Tx): Promise<void> {
  await tx.execute("DELETE FROM gateway_leases WHERE expires_at < now() - interval '1 hour'");
}
