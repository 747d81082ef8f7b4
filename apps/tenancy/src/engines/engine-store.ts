import type { Tx } from '@cairn/postgres';

/** The memory service's own PostgreSQL server; its URLs are that service's configuration. */
export const DEFAULT_ENGINE = 'default';

export interface EngineRow {
  engine_id: string;
  name: string;
  kind: 'shared' | 'dedicated';
  status: 'provisioning' | 'active' | 'draining';
  weight: number;
  /** host:port/database, without credentials; empty for the default engine. */
  location: string;
  /** Rises when the URLs become others. */
  revision: number;
  created_at: Date;
}

/** Engines that take new shared memories. */
export async function listPlaces(tx: Tx): Promise<EngineRow[]> {
  return tx.query<EngineRow>("SELECT * FROM engines WHERE kind = 'shared' AND status = 'active' ORDER BY engine_id");
}

/** Every engine with the memories it holds, oldest first. Needs the worker role. */
export async function listEngineRows(tx: Tx): Promise<(EngineRow & { memories: number })[]> {
  return tx.query(
    `SELECT engines.*, (SELECT count(*) FROM memories WHERE memories.engine_id = engines.engine_id) AS memories
       FROM engines ORDER BY created_at, engine_id`,
  );
}

export async function findEngine(tx: Tx, engineId: string): Promise<EngineRow | null> {
  const rows = await tx.query<EngineRow>('SELECT * FROM engines WHERE engine_id = $1', [engineId]);
  return rows[0] ?? null;
}

/** Writes the engine down with its sealed secret; one that is there already stays as it is. Needs the worker role. */
export async function insertEngine(
  tx: Tx,
  engine: Pick<EngineRow, 'engine_id' | 'name' | 'kind' | 'status' | 'weight' | 'location'>,
  sealed: string,
): Promise<void> {
  await tx.execute(
    `INSERT INTO engines (engine_id, name, kind, status, weight, location) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (engine_id) DO NOTHING`,
    [engine.engine_id, engine.name, engine.kind, engine.status, engine.weight, engine.location],
  );
  await tx.execute(
    'INSERT INTO engine_secrets (engine_id, sealed) VALUES ($1, $2) ON CONFLICT (engine_id) DO NOTHING',
    [engine.engine_id, sealed],
  );
}

/** Where the engine is and how to get there became another; whoever holds the earlier revision looks again. */
export async function relocateEngine(
  tx: Tx,
  engine: { engineId: string; location: string; sealed: string; status: EngineRow['status'] },
): Promise<void> {
  await tx.execute('UPDATE engines SET location = $2, status = $3, revision = revision + 1 WHERE engine_id = $1', [
    engine.engineId,
    engine.location,
    engine.status,
  ]);
  await tx.execute('UPDATE engine_secrets SET sealed = $2 WHERE engine_id = $1', [engine.engineId, engine.sealed]);
}

export async function setEngineStatus(
  tx: Tx,
  engineId: string,
  status: EngineRow['status'],
): Promise<EngineRow | null> {
  const rows = await tx.query<EngineRow>('UPDATE engines SET status = $2 WHERE engine_id = $1 RETURNING *', [
    engineId,
    status,
  ]);
  return rows[0] ?? null;
}

export async function findSealed(tx: Tx, engineId: string): Promise<string | null> {
  const rows = await tx.query<{ sealed: string }>('SELECT sealed FROM engine_secrets WHERE engine_id = $1', [engineId]);
  return rows[0]?.sealed ?? null;
}

export async function deleteEngine(tx: Tx, engineId: string): Promise<void> {
  await tx.execute('DELETE FROM engine_secrets WHERE engine_id = $1', [engineId]);
  await tx.execute('DELETE FROM engines WHERE engine_id = $1', [engineId]);
}
