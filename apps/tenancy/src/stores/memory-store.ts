import { MEMORY_SETTING_NAMES, type MemorySettings } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';

/** Each setting has a column of its name. */
export interface MemoryRow extends MemorySettings {
  tenant_id: string;
  memory_id: string;
  workspace_id: string;
  display_name: string;
  type: 'shared' | 'dedicated';
  status: 'provisioning' | 'active' | 'suspended' | 'deleting' | 'failed';
  /** Why it failed; null otherwise. */
  status_reason: string | null;
  memory_serial: number;
  subdomain: string;
  root_vault_id: string;
  /** The PostgreSQL server that holds it. */
  engine_id: string;
  created_at: Date;
}

const INSERTED_COLUMNS = [
  'tenant_id',
  'memory_id',
  'workspace_id',
  'display_name',
  'type',
  'status',
  'memory_serial',
  'subdomain',
  'root_vault_id',
  'engine_id',
  ...MEMORY_SETTING_NAMES,
] as const;
const CHANGED_COLUMNS = ['display_name', 'status', 'status_reason', ...MEMORY_SETTING_NAMES] as const;

/** Allocates the tenant's next serial number: 1, 2, 3 … without reuse. */
export async function nextMemorySerial(tx: Tx, tenantId: string): Promise<number> {
  const rows = await tx.query<{ serial: number }>(
    'UPDATE tenants SET next_memory_serial = next_memory_serial + 1 WHERE tenant_id = $1 RETURNING next_memory_serial - 1 AS serial',
    [tenantId],
  );
  return rows[0]!.serial;
}

/** True when the label was free; it stays claimed for ever. Only its digest is stored, as a label contains words of a name. */
export async function claimSubdomain(
  tx: Tx,
  claim: { subdomain: string; tenantId: string; memoryId: string },
): Promise<boolean> {
  const rows = await tx.execute(
    `INSERT INTO subdomains (label_sha256, tenant_id, memory_id) VALUES (sha256(convert_to($1, 'UTF8')), $2, $3)
     ON CONFLICT DO NOTHING`,
    [claim.subdomain, claim.tenantId, claim.memoryId],
  );
  return rows === 1;
}

export async function insertMemory(tx: Tx, row: Omit<MemoryRow, 'created_at' | 'status_reason'>): Promise<MemoryRow> {
  const parameters = INSERTED_COLUMNS.map((_column, index) => `$${index + 1}`);
  const rows = await tx.query<MemoryRow>(
    `INSERT INTO memories (${INSERTED_COLUMNS.join(', ')}) VALUES (${parameters.join(', ')}) RETURNING *`,
    INSERTED_COLUMNS.map((column) => row[column]),
  );
  return rows[0]!;
}

/** Memories that a plan counts: those that are not being deleted. */
export async function countMemories(tx: Tx, tenantId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    "SELECT count(*) AS count FROM memories WHERE tenant_id = $1 AND status <> 'deleting'",
    [tenantId],
  );
  return rows[0]!.count;
}

export async function listMemoryRows(
  tx: Tx,
  filter: { workspaceId: string | null; after: string; fetch: number | null },
): Promise<MemoryRow[]> {
  return tx.query<MemoryRow>(
    'SELECT * FROM memories WHERE memory_id > $1 AND ($2::text IS NULL OR workspace_id = $2) ORDER BY memory_id LIMIT $3',
    [filter.after, filter.workspaceId, filter.fetch],
  );
}

export async function findMemory(tx: Tx, memoryId: string): Promise<MemoryRow | null> {
  const rows = await tx.query<MemoryRow>({
    name: 'memory_by_id',
    text: 'SELECT * FROM memories WHERE memory_id = $1',
    values: [memoryId],
  });
  return rows[0] ?? null;
}

/** The same, locked until the transaction ends. */
export async function lockMemory(tx: Tx, memoryId: string): Promise<MemoryRow | null> {
  const rows = await tx.query<MemoryRow>('SELECT * FROM memories WHERE memory_id = $1 FOR UPDATE', [memoryId]);
  return rows[0] ?? null;
}

export async function changeMemory(
  tx: Tx,
  memoryId: string,
  change: Pick<MemoryRow, (typeof CHANGED_COLUMNS)[number]>,
): Promise<MemoryRow> {
  const assignments = CHANGED_COLUMNS.map((column, index) => `${column} = $${index + 2}`);
  const rows = await tx.query<MemoryRow>(
    `UPDATE memories SET ${assignments.join(', ')} WHERE memory_id = $1 RETURNING *`,
    [memoryId, ...CHANGED_COLUMNS.map((column) => change[column])],
  );
  return rows[0]!;
}

/** Shared memories and where they are, over all tenants: needs the worker role. */
export async function listMemoryPlaces(tx: Tx): Promise<Pick<MemoryRow, 'memory_id' | 'engine_id'>[]> {
  return tx.query(
    "SELECT memory_id, engine_id FROM memories WHERE type = 'shared' AND status IN ('active', 'suspended')",
  );
}

/** Registers a memory on another engine. */
export async function relocateMemory(tx: Tx, memoryId: string, engineId: string): Promise<void> {
  await tx.execute('UPDATE memories SET engine_id = $2 WHERE memory_id = $1', [memoryId, engineId]);
}

/** The memory behind a hostname's label, over all tenants: needs the worker role. */
export async function findMemoryBySubdomain(tx: Tx, subdomain: string): Promise<MemoryRow | null> {
  const rows = await tx.query<MemoryRow>("SELECT * FROM memories WHERE subdomain = $1 AND status <> 'deleting'", [
    subdomain,
  ]);
  return rows[0] ?? null;
}

/** The engines that hold memories of the tenant. */
export async function listMemoryEngines(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ engine_id: string }>(
    "SELECT DISTINCT engine_id FROM memories WHERE status IN ('active', 'suspended') ORDER BY engine_id",
  );
  return rows.map((row) => row.engine_id);
}
