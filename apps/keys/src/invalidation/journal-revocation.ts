import { encodeJournalEntry } from '@cairn/contracts';
import { appendToOutbox, type Tx } from '@cairn/postgres';

/**
 * Writes into the journal, in the transaction that ends them, that credentials are good for nothing any more, so that a
 * database that is restored to an earlier state is told.
 */
export async function journalRevocation(tx: Tx, tenantId: string, credentialIds: readonly string[]): Promise<void> {
  if (credentialIds.length === 0) return;
  const value = { credentialIds: [...credentialIds] };
  await appendToOutbox(tx, encodeJournalEntry('keys', tenantId, { case: 'credentialsRevoked', value }));
}
