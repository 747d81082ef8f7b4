import type { ChargeName } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';

const ENDED_STATES = ['settled', 'released'] as const;
export type EndedState = (typeof ENDED_STATES)[number];

export interface ChargeRow {
  tenant_id: string;
  run_id: string;
  charge: ChargeName;
  /** First day of the month whose credits pay for it. */
  month: string;
  livemode: boolean;
  micro_credits: number;
  price_version: string;
  service_id: string | null;
  state: 'reserved' | EndedState;
  reserved_at: Date;
  expires_at: Date;
}

const COLUMNS = `tenant_id, run_id, charge, to_char(month, 'YYYY-MM-DD') AS month, livemode, micro_credits,
  price_version, service_id, state, reserved_at, expires_at`;

export async function findCharge(tx: Tx, tenantId: string, runId: string): Promise<ChargeRow | null> {
  const rows = await tx.query<ChargeRow>(`SELECT ${COLUMNS} FROM charges WHERE tenant_id = $1 AND run_id = $2`, [
    tenantId,
    runId,
  ]);
  return rows[0] ?? null;
}

/** Null when the run has a charge already; waits for a concurrent insert. */
export async function insertCharge(
  tx: Tx,
  charge: Omit<ChargeRow, 'state' | 'reserved_at'> & { reserved_at: Date },
): Promise<ChargeRow | null> {
  const rows = await tx.query<ChargeRow>({
    name: 'charge_insert',
    text: `INSERT INTO charges (tenant_id, run_id, charge, month, livemode, micro_credits, price_version, service_id,
                                reserved_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    values: [
      charge.tenant_id,
      charge.run_id,
      charge.charge,
      charge.month,
      charge.livemode,
      charge.micro_credits,
      charge.price_version,
      charge.service_id,
      charge.reserved_at,
      charge.expires_at,
    ],
  });
  return rows[0] ?? null;
}

/** Ends a reserved charge; null when it has ended already or does not exist. */
export async function endChargeRow(
  tx: Tx,
  tenantId: string,
  runId: string,
  state: EndedState,
): Promise<ChargeRow | null> {
  const rows = await tx.query<ChargeRow>({
    name: 'charge_end',
    text: `UPDATE charges SET state = $3, ended_at = now()
            WHERE tenant_id = $1 AND run_id = $2 AND state = 'reserved' RETURNING ${COLUMNS}`,
    values: [tenantId, runId, state],
  });
  return rows[0] ?? null;
}

/** Expired reservations, the longest expired first. */
export async function expiredCharges(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ tenant_id: string; run_id: string }[]> {
  return tx.query(
    `SELECT tenant_id, run_id FROM charges WHERE state = 'reserved' AND expires_at <= $1
      ORDER BY expires_at LIMIT $2`,
    [now, limit],
  );
}
