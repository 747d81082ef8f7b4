import type { Tx } from '@cairn/postgres';

interface NewTicketRow {
  tenant_id: string;
  ticket_id: string;
  key_id: string;
  sha256: Buffer;
  expires_at: Date;
}

export async function insertTicket(tx: Tx, row: NewTicketRow): Promise<void> {
  await tx.execute(
    'INSERT INTO console_tickets (tenant_id, ticket_id, key_id, sha256, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [row.tenant_id, row.ticket_id, row.key_id, row.sha256, row.expires_at],
  );
}

/**
 * Uses a ticket up and returns its key; null when there is none, it was used, or its time is over. Of several at once one
 * succeeds. Needs the worker role.
 */
export async function redeemTicket(tx: Tx, sha256: Buffer, now: Date): Promise<string | null> {
  const rows = await tx.query<{ key_id: string }>(
    `UPDATE console_tickets SET used_at = $2
      WHERE sha256 = $1 AND used_at IS NULL AND expires_at > $2 RETURNING key_id`,
    [sha256, now],
  );
  return rows[0]?.key_id ?? null;
}
