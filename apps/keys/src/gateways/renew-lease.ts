import type { RenewLeaseRequest } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';

const LEASE_MS = 30_000;
const SUM_ROUNDING = 1e-9;

/**
 * Records the lease, and returns only when that is committed: a gateway resolves nothing before. `granted` is false for
 * a membership that expired or was fenced; `sharing` is the number of gateways that divide a reserved share from now
 * on, 0 until the others have made room. Needs the worker role.
 */
export async function renewLease(
  { workerDatabase }: { workerDatabase: Database },
  { gatewayId, address, joining, sharing }: Omit<RenewLeaseRequest, '$typeName' | '$unknown'>,
): Promise<{ granted: boolean; sharing: number; durationMs: number }> {
  if (gatewayId === '' || address === '')
    throw validationFailed([{ path: 'gateway_id', message: 'and address are required' }]);
  return workerDatabase.transaction(async (tx) => {
    // Two that look for room at the same time must not both find the same.
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
    if (touched === 0) return { granted: false, sharing: 0, durationMs: LEASE_MS };
    return { granted: true, sharing: await shareOf(tx, gatewayId, sharing), durationMs: LEASE_MS };
  });
}

/**
 * Among how many gateways the caller divides a reserved share: as many as there are, once the shares that the others
 * may be using leave room for one more of that size. The row keeps the smaller of what the gateway reported and what it
 * is told, which is what it may be using until it reports again.
 */
async function shareOf(tx: Tx, gatewayId: string, reported: number): Promise<number> {
  const others = await tx.query<{ sharing: number }>(
    'SELECT sharing FROM gateway_leases WHERE gateway_id <> $1 AND expires_at > clock_timestamp()',
    [gatewayId],
  );
  const count = others.length + 1;
  const used = others.reduce((sum, other) => sum + (other.sharing === 0 ? 0 : 1 / other.sharing), 0);
  const assigned = used + 1 / count <= 1 + SUM_ROUNDING ? count : reported === 0 ? 0 : Math.max(reported, count);
  const atMost = reported === 0 || assigned === 0 ? assigned : Math.min(reported, assigned);
  await tx.execute('UPDATE gateway_leases SET sharing = $2 WHERE gateway_id = $1', [gatewayId, atMost]);
  return assigned;
}
