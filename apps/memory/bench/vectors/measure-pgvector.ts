import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Tx } from '@cairn/postgres';
import { wordVector } from '@cairn/testing';
import { MIGRATIONS } from '../../src/service.ts';
import { keepVectors } from '../../src/vectors/embedding-store.ts';
import { hasPgvector, nearestChunks } from '../../src/vectors/nearest-chunks.ts';
import { preparePgvector } from '../../src/vectors/prepare-pgvector.ts';

const MODEL = { name: 'local/vectors', dimensions: 64 };
const LARGE = { tenantId: 'tnt_large', memoryId: 'mem_large' };
const SMALL = { tenantId: 'tnt_small', memoryId: 'mem_small' };
const LARGE_CHUNKS = 21_000;
const SMALL_CHUNKS = 200;

let database: PGlite;
let tx: Tx;

/** PGlite as the stores see a transaction; it is a PostgreSQL with pgvector, for one caller. */
function txOver(lite: PGlite): Tx {
  const values = (of: unknown[] | undefined) =>
    of?.map((value) => (Buffer.isBuffer(value) ? new Uint8Array(value) : value));
  const run = async (text: string | { text: string; values?: unknown[] }, given?: unknown[]) => {
    const [sql, bound] = typeof text === 'string' ? [text, given] : [text.text, text.values];
    const result = await lite.query<Record<string, unknown>>(sql, values(bound));
    for (const row of result.rows)
      for (const [key, value] of Object.entries(row)) if (value instanceof Uint8Array) row[key] = Buffer.from(value);
    return result;
  };
  return {
    query: async (text, given) => (await run(text, given)).rows as never,
    execute: async (text, given) => (await run(text, given)).affectedRows ?? 0,
    run: () => Promise.reject(new Error('not used here')),
  };
}

function textOf(n: number): string {
  const words = [
    'ferry',
    'harbour',
    'train',
    'bridge',
    'island',
    'lighthouse',
    'canteen',
    'engine',
    'winter',
    'market',
  ];
  return Array.from(
    { length: 6 },
    (_, i) => `${words[(n * 7 + i * i * 3 + (n >> 3)) % words.length]}${(n * (i + 3)) % 97}`,
  ).join(' ');
}

async function fill(scope: { tenantId: string; memoryId: string }, count: number): Promise<void> {
  await tx.execute(
    `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
     SELECT $1, $2, 'doc_' || n, 'ws', true, 'vlt_' || n % 100, '', 'text/plain', int4send(n), 1, 'completed' FROM generate_series(1, $3::int) AS n`,
    [scope.tenantId, scope.memoryId, count],
  );
  await tx.execute(
    `INSERT INTO chunks (tenant_id, memory_id, chunk_id, doc_id, vault_id, ordinal, title_path, context_prefix, body, body_sha256, location)
     SELECT $1, $2, 'chk_' || n, 'doc_' || n, 'vlt_' || n % 100, 0, '', '', '', '', '{}' FROM generate_series(1, $3::int) AS n`,
    [scope.tenantId, scope.memoryId, count],
  );
  const all = Array.from({ length: count }, (_, i) => ({
    chunkId: `chk_${i + 1}`,
    textSha256: Buffer.from([0]),
    vector: Float32Array.from(wordVector(textOf(i + 1), MODEL.dimensions)),
  }));
  for (let start = 0; start < count; start += 1_000)
    await keepVectors(tx, scope, MODEL.name, all.slice(start, start + 1_000));
}

const ask = (scope: typeof LARGE, n: number, vaultIds?: string[]) =>
  nearestChunks(tx, scope, {
    model: MODEL.name,
    vector: Float32Array.from(wordVector(textOf(n), MODEL.dimensions)),
    limit: 10,
    filter: vaultIds === undefined ? undefined : { vaultIds },
  });

async function exact(scope: typeof LARGE, n: number, vaultIds?: string[]): Promise<string[]> {
  const rows = await tx.query<{ chunk_id: string }>(
    `SELECT chunk_id FROM chunk_embeddings JOIN chunks USING (tenant_id, memory_id, chunk_id)
      WHERE tenant_id = $1 AND memory_id = $2 AND ($4::text[] IS NULL OR vault_id = ANY($4))
      ORDER BY (embedding::vector(${MODEL.dimensions}) <=> $3::vector(${MODEL.dimensions})) + 0, chunk_id LIMIT 10`,
    [scope.tenantId, scope.memoryId, `[${wordVector(textOf(n), MODEL.dimensions).join(',')}]`, vaultIds ?? null],
  );
  return rows.map((row) => row.chunk_id);
}

async function recall(scope: typeof LARGE, vaultIds?: string[]): Promise<number> {
  let found = 0;
  let wanted = 0;
  for (let n = 5; n < 105; n += 5) {
    const truth = await exact(scope, n, vaultIds);
    const ids = new Set((await ask(scope, n, vaultIds)).map((hit) => hit.chunkId));
    found += truth.filter((id) => ids.has(id)).length;
    wanted += truth.length;
  }
  return found / wanted;
}

export interface PgvectorMeasured {
  /** Whether a large memory's question was planned over the HNSW index. */
  byIndex: boolean;
  /** Share of the ten nearest of an exact scan that were found, over 20 questions each. */
  recall: { large: number; largeFiltered: number; small: number; smallFiltered: number };
}

/** A memory of 21,000 chunks and one with 1 % of them, in a PostgreSQL with pgvector: PGlite, in this process. */
async function measure(): Promise<PgvectorMeasured> {
  database = await PGlite.create({ extensions: { vector } });
  tx = txOver(database);
  await database.exec(
    'CREATE SCHEMA memory; SET search_path TO memory; CREATE ROLE memory_app; CREATE ROLE memory_worker;',
  );
  for (const folder of MIGRATIONS)
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort())
      await database.exec(await readFile(join(folder, file), 'utf8'));
  if (await hasPgvector(tx)) throw new Error('pgvector was not prepared yet');
  // PGlite has one connection: what a transaction runs goes through it.
  await preparePgvector({ transaction: (work) => work(tx) }, 'memory', MODEL);
  await database.exec('SET search_path TO memory');
  await fill(LARGE, LARGE_CHUNKS);
  await fill(SMALL, SMALL_CHUNKS);
  await database.exec('ANALYZE');
  const asked = `[${wordVector('x', MODEL.dimensions).join(',')}]`;
  const plan = await database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT chunk_id FROM chunk_embeddings WHERE model = '${MODEL.name}'
      ORDER BY embedding::vector(${MODEL.dimensions}) <=> '${asked}'::vector(${MODEL.dimensions}) LIMIT 10`,
  );
  const byIndex = plan.rows.some((row) => row['QUERY PLAN'].includes('chunk_embeddings_hnsw'));
  const recallOf = {
    large: await recall(LARGE),
    largeFiltered: await recall(LARGE, ['vlt_7']),
    small: await recall(SMALL),
    smallFiltered: await recall(SMALL, ['vlt_7', 'vlt_8']),
  };
  await database.close();
  return { byIndex, recall: recallOf };
}

process.stdout.write(JSON.stringify(await measure()));
