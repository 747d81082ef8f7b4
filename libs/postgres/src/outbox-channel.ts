import type { Tx } from './tx.ts';

/** Followed by the schema, the channel that notifies relays of new rows. */
export const OUTBOX_CHANNEL = 'outbox';

/** Wakes the relays of the schema when the transaction commits. */
export async function notifyOutbox(tx: Tx): Promise<void> {
  await tx.query("SELECT pg_notify($1 || '.' || current_schema(), '')", [OUTBOX_CHANNEL]);
}
