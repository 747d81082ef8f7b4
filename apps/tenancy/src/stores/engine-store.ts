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
  /** Rises when the URLs change. */
  revision: number;
  created_at: Date;
  /** What it held and did when it was measured last; null before the first time. */
  bytes: number | null;
  chunks: number | null;
  transactions_per_second: number | null;
  measured_at: Date | null;
}

/** Engines that new shared memories may be placed on. */
export async function listPlaceableEngines(tx: Tx): Promise<EngineRow[]> {
  return tx.query<EngineRow>("SELECT * FROM engines WHERE kind = 'shared' AND status = 'active' ORDER BY engine_id");
}

/** An engine with the number of memories on it. */
export type ListedEngine = EngineRow & { memories: number };

/** Every engine, oldest first. Needs the worker role. */
export async function listEngineRows(tx: Tx): Promise<ListedEngine[]> {
  return tx.query(
    `SELECT engines.*, (SELECT count(*) FROM memories WHERE memories.engine_id = engines.engine_id) AS memories
       FROM engines ORDER BY created_at, engine_id`,
  );
}

/** Shared engines that were not measured for so long. Needs the worker role. */
export async function listEnginesToMeasure(tx: Tx, everyMs: number): Promise<string[]> {
  const rows = await tx.query<{ engine_id: string }>(
    `SELECT engine_id FROM engines WHERE kind = 'shared' AND status <> 'provisioning'
        AND (measured_at IS NULL OR measured_at < now() - make_interval(secs => $1::float8 / 1000)) ORDER BY engine_id`,
    [everyMs],
  );
  return rows.map((row) => row.engine_id);
}

/** Keeps what an engine holds, and what it did since it was measured before. Needs the worker role. */
export async function storeEngineUse(
  tx: Tx,
  engineId: string,
  load: { bytes: bigint; chunks: bigint; transactions: bigint },
): Promise<void> {
  await tx.execute(
    `UPDATE engines
        SET bytes = $2, chunks = $3, transactions = $4, measured_at = now(),
            transactions_per_second = CASE WHEN $4 >= transactions AND measured_at < now()
              THEN ($4 - transactions) / extract(epoch FROM now() - measured_at)::float8 ELSE transactions_per_second END
      WHERE engine_id = $1`,
    [engineId, load.bytes, load.chunks, load.transactions],
  );
}

export async function findEngine(tx: Tx, engineId: string): Promise<EngineRow | null> {
  const rows = await tx.query<EngineRow>('SELECT * FROM engines WHERE engine_id = $1', [engineId]);
  return rows[0] ?? null;
}

/** Inserts the engine with its encrypted secret; one that exists already is left unchanged. Needs the worker role. */
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

/** Stores the address and URLs that the engine has now; whoever has the earlier revision reads them again. */
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

export async function findEngineSecret(tx: Tx, engineId: string): Promise<string | null> {
  const rows = await tx.query<{ sealed: string }>('SELECT sealed FROM engine_secrets WHERE engine_id = $1', [engineId]);
  return rows[0]?.sealed ?? null;
}

export async function deleteEngine(tx: Tx, engineId: string): Promise<void> {
  await tx.execute('DELETE FROM engine_secrets WHERE engine_id = $1', [engineId]);
  await tx.execute('DELETE FROM engines WHERE engine_id = $1', [engineId]);
}
