import type { Database, Tx } from '@cairn/postgres';
import type { LeaseTable } from '@cairn/revocation';

export const LEASE_MS = 30_000;
const SUM_ROUNDING = 1e-9;

export interface LeaseRequest {
  gatewayId: string;
  address: string;
  joining: boolean;
  /** Among how many it divides what each gateway may admit without asking; 0 when it takes no part of it. */
  sharing: number;
}

export interface RenewedLease {
  /** False for a membership that ran out or was fenced. */
  granted: boolean;
  /** The number to divide by from now on; 0 until the others have made room. */
  sharing: number;
}

/**
 * Writes the lease down, and answers only when that is committed: a gateway's first resolve comes after it. Needs the
 * worker role.
 */
export async function renewLease(workerDatabase: Database, request: LeaseRequest): Promise<RenewedLease> {
  const { gatewayId, address, joining, sharing } = request;
  return workerDatabase.transaction(async (tx) => {
    // Two that look for room at the same time must not both find the same. Whoever only looks does not wait.
    await tx.execute("SELECT pg_advisory_xact_lock(hashtextextended('gateway_leases', 0))");
    const touched = joining
      ? await tx.execute(
          `INSERT INTO gateway_leases (gateway_id, address, expires_at)
           VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000)) ON CONFLICT DO NOTHING`,
          [gatewayId, address, LEASE_MS],
        )
      : await tx.execute(
          `UPDATE gateway_leases
              SET expires_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000), sharing = $3
            WHERE gateway_id = $1 AND NOT fenced AND expires_at > clock_timestamp()`,
          [gatewayId, LEASE_MS, sharing],
        );
    if (touched === 0) return { granted: false, sharing: 0 };
    return { granted: true, sharing: await shareOf(tx, gatewayId, sharing) };
  });
}

/**
 * Among how many a gateway divides: as many as there are, once the parts that the others may be taking leave room for
 * one more of that size. The row keeps the smaller of what the gateway said it takes and what it is told, which is
 * what it may be taking until it is heard again.
 */
async function shareOf(tx: Tx, gatewayId: string, taking: number): Promise<number> {
  const others = await tx.query<{ sharing: number }>(
    'SELECT sharing FROM gateway_leases WHERE gateway_id <> $1 AND expires_at > clock_timestamp()',
    [gatewayId],
  );
  const count = others.length + 1;
  const taken = others.reduce((sum, other) => sum + (other.sharing === 0 ? 0 : 1 / other.sharing), 0);
  const told = taken + 1 / count <= 1 + SUM_ROUNDING ? count : taking === 0 ? 0 : Math.max(taking, count);
  const atMost = taking === 0 || told === 0 ? told : Math.min(taking, told);
  await tx.execute('UPDATE gateway_leases SET sharing = $2 WHERE gateway_id = $1', [gatewayId, atMost]);
  return told;
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
