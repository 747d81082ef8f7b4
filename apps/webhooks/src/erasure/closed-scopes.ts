import type { Tx } from '@cairn/postgres';

/** A tenant; with a memory that memory of it; with a vault that vault of the memory. */
export interface Scope {
  tenantId: string;
  memoryId: string;
  vaultId: string;
}

/** What an event speaks of: a memory, and where in it the documents lie. */
export interface Spoken {
  tenantId: string;
  memoryId: string;
  vaultIds: readonly string[];
}

/** Keeps the scopes from being closed until the transaction ends; waits for one that is being closed. */
export async function holdScopesOpen(tx: Tx, scopes: readonly Spoken[]): Promise<void> {
  const keys = new Set(
    scopes.flatMap(({ tenantId, memoryId }) => [lockKey(tenantId, ''), lockKey(tenantId, memoryId)]),
  );
  await tx.query({
    name: 'scopes_hold_open',
    text: 'SELECT pg_advisory_xact_lock_shared(hashtextextended(key, 0)) FROM unnest($1::text[]) AS key',
    values: [[...keys]],
  });
}

/** Tells of each whether its tenant, its memory or any place of its documents was closed. */
export async function closedScopesAmong(tx: Tx, scopes: readonly Spoken[]): Promise<(scope: Spoken) => boolean> {
  const rows = await tx.query<{ tenant_id: string; memory_id: string; vault_id: string }>({
    name: 'scopes_closed',
    text: 'SELECT tenant_id, memory_id, vault_id FROM closed_scopes WHERE tenant_id = ANY($1) AND memory_id = ANY($2)',
    values: [
      [...new Set(scopes.map(({ tenantId }) => tenantId))],
      ['', ...new Set(scopes.map(({ memoryId }) => memoryId))],
    ],
  });
  const closed = new Set(rows.map((row) => key(row.tenant_id, row.memory_id, row.vault_id)));
  return ({ tenantId, memoryId, vaultIds }) =>
    closed.has(key(tenantId, '', '')) ||
    closed.has(key(tenantId, memoryId, '')) ||
    vaultIds.some((vaultId) => vaultId !== '' && closed.has(key(tenantId, memoryId, vaultId)));
}

/** Waits for those who take something in, and closes the scope to all that come after. */
export async function closeScope(tx: Tx, { tenantId, memoryId, vaultId }: Scope): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lockKey(tenantId, memoryId)]);
  await tx.execute(
    'INSERT INTO closed_scopes (tenant_id, memory_id, vault_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [tenantId, memoryId, vaultId],
  );
}

const key = (...parts: string[]) => parts.join('\u0001');

function lockKey(tenantId: string, memoryId: string): string {
  return key('webhook scope', tenantId, memoryId);
}
