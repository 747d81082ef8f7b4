import type { Tx } from '@cairn/postgres';

/** A request that changed something. */
export interface AuditRow {
  tenant_id: string;
  /** Sorts by time. */
  audit_id: string;
  occurred_at: Date;
  operation: string;
  actor_id: string;
  actor_kind: string;
  credential_id: string;
  request_id: string;
  client_address: string | null;
  /** Name of the field or parameter that held the id of the same position. */
  target_names: string[];
  target_ids: string[];
  status: number;
  answered: boolean;
}

const COLUMNS = `tenant_id, audit_id, occurred_at, operation, actor_id, actor_kind, credential_id, request_id, client_address,
  target_names, target_ids, status, answered`;

/** Writes each request once, whatever is repeated and in whichever order it comes; nothing of erased tenants. */
export async function writeAuditRow(tx: Tx, row: AuditRow): Promise<void> {
  await tx.execute({
    name: 'usage_audit_write',
    text: `INSERT INTO audit_events (${COLUMNS})
           SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text[], $11::text[], $12, $13
            WHERE NOT EXISTS (SELECT FROM closed_tenants WHERE tenant_id = $1)
           ON CONFLICT (tenant_id, audit_id) DO UPDATE
             SET target_names = excluded.target_names, target_ids = excluded.target_ids,
                 status = excluded.status, answered = excluded.answered
           WHERE excluded.answered AND NOT audit_events.answered`,
    values: [
      row.tenant_id,
      row.audit_id,
      row.occurred_at,
      row.operation,
      row.actor_id,
      row.actor_kind,
      row.credential_id,
      row.request_id,
      row.client_address,
      row.target_names,
      row.target_ids,
      row.status,
      row.answered,
    ],
  });
}

/** Longer than a year, so that a yearly audit finds its whole year. */
const RETENTION_DAYS = 400;
const DELETE_BATCH = 10_000;

/** Deletes rows whose time is over; true when there may be more. */
export async function deleteOldAuditRows(tx: Tx, now: Date): Promise<boolean> {
  const deleted = await tx.execute(
    `DELETE FROM audit_events WHERE ctid IN (
       SELECT ctid FROM audit_events WHERE occurred_at < $1::timestamptz - make_interval(days => ${RETENTION_DAYS}) LIMIT ${DELETE_BATCH})`,
    [now],
  );
  return deleted === DELETE_BATCH;
}
