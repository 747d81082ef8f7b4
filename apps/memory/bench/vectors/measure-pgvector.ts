import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Tx } from '@cairn/postgres';
import { quantile, wordVector } from '@cairn/testing';
import { MIGRATIONS } from '../../src/runtime/migrate-schema.ts';
import { keepVectors } from '../../src/vectors/embedding-store.ts';
import { hasPgvector, nearestChunks } from '../../src/vectors/nearest-chunks.ts';
import { createVectorIndex } from '../../src/vectors/create-vector-index.ts';
import { createCorpus } from '../corpus.ts';

const LARGE = { tenantId: 'tnt_large', memoryId: 'mem_large' };
const SMALL = { tenantId: 'tnt_small', memoryId: 'mem_small' };
const SMALL_SHARE = 0.01;
const VAULTS = 100;
const QUESTIONS = 20;
const TEXT_WORDS = 14;
const corpus = createCorpus(11);

interface PgvectorSize {
  /** Of the large memory; the small one has 1 % of it. */
  chunks: number;
  dimensions: number;
  /** Below `chunks`, so that the index is asked. */
  exactScanMax: number;
}

/** As the spec has it. */
const SPEC_SIZE: PgvectorSize = { chunks: 8_000, dimensions: 64, exactScanMax: 4_000 };

interface World {
  lite: PGlite;
  tx: Tx;
  size: PgvectorSize;
  model: { name: string; dimensions: number };
}

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

const vectorOf = (n: number, dimensions: number) =>
  Float32Array.from(wordVector(corpus.chunk(n).body.split(' ').slice(0, TEXT_WORDS).join(' '), dimensions));

async function fill({ tx, model }: World, scope: typeof LARGE, count: number): Promise<void> {
  await tx.execute(
    `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
     SELECT $1, $2, 'doc_' || n, 'ws', true, 'vlt_' || n % ${VAULTS}, '', 'text/plain', int4send(n), 1, 'completed' FROM generate_series(1, $3::int) AS n`,
    [scope.tenantId, scope.memoryId, count],
  );
  await tx.execute(
    `INSERT INTO chunks (tenant_id, memory_id, chunk_id, doc_id, vault_id, ordinal, title_path, context_prefix, body, body_sha256, location)
     SELECT $1, $2, 'chk_' || n, 'doc_' || n, 'vlt_' || n % ${VAULTS}, 0, '', '', '', '', '{}' FROM generate_series(1, $3::int) AS n`,
    [scope.tenantId, scope.memoryId, count],
  );
  for (let first = 1; first <= count; first += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count - first + 1) }, (_, at) => ({
      chunkId: `chk_${first + at}`,
      textSha256: Buffer.from([0]),
      vector: vectorOf(first + at, model.dimensions),
    }));
    await keepVectors(tx, scope, model.name, rows);
  }
}

function ask({ tx, model, size }: World, scope: typeof LARGE, n: number, vaultIds?: string[]) {
  return nearestChunks(tx, scope, {
    model: model.name,
    vector: vectorOf(n, model.dimensions),
    limit: 10,
    exactScanMax: size.exactScanMax,
    filter: vaultIds === undefined ? undefined : { vaultIds },
  });
}

async function exact(
  { tx, model: { dimensions } }: World,
  scope: typeof LARGE,
  n: number,
  vaultIds?: string[],
): Promise<string[]> {
  const rows = await tx.query<{ chunk_id: string }>(
    `SELECT chunk_id FROM chunk_embeddings JOIN chunks USING (tenant_id, memory_id, chunk_id)
      WHERE tenant_id = $1 AND memory_id = $2 AND ($4::text[] IS NULL OR vault_id = ANY($4))
      ORDER BY (embedding::vector(${dimensions}) <=> $3::vector(${dimensions})) + 0, chunk_id LIMIT 10`,
    [scope.tenantId, scope.memoryId, `[${vectorOf(n, dimensions).join(',')}]`, vaultIds ?? null],
  );
  return rows.map((row) => row.chunk_id);
}

/** Share of the ten nearest that are found by texts that no chunk has, and how long that takes. */
async function recall(world: World, scope: typeof LARGE, vaultIds?: string[]): Promise<PgvectorCell> {
  let found = 0;
  let wanted = 0;
  const times: number[] = [];
  for (let at = 0; at < QUESTIONS; at++) {
    const n = world.size.chunks + 1 + at;
    const truth = await exact(world, scope, n, vaultIds);
    // What a search sets, it sets for its transaction.
    await world.lite.exec('BEGIN');
    const startedMs = performance.now();
    const ids = new Set((await ask(world, scope, n, vaultIds)).map((hit) => hit.chunkId));
    times.push(performance.now() - startedMs);
    await world.lite.exec('COMMIT');
    found += truth.filter((id) => ids.has(id)).length;
    wanted += truth.length;
  }
  return { recall: found / wanted, p50: quantile(times, 0.5), p95: quantile(times, 0.95) };
}

/** Share of the ten nearest of an exact scan that were found, and milliseconds. */
interface PgvectorCell {
  recall: number;
  p50: number;
  p95: number;
}

export interface PgvectorMeasured {
  size: PgvectorSize;
  /** Whether a large memory's question was planned over the HNSW index. */
  byIndex: boolean;
  cells: Record<'large' | 'largeFiltered' | 'small' | 'smallFiltered', PgvectorCell>;
}

/** A large memory and one with 1 % of its chunks, in a PostgreSQL with pgvector: PGlite, in this process. */
export async function measurePgvector(size: PgvectorSize): Promise<PgvectorMeasured> {
  const lite = await PGlite.create({ extensions: { vector } });
  const tx = txOver(lite);
  const model = { name: 'local/vectors', dimensions: size.dimensions };
  const world: World = { lite, tx, size, model };
  await lite.exec(
    'CREATE SCHEMA memory; SET search_path TO memory; CREATE ROLE memory_app; CREATE ROLE memory_worker;',
  );
  for (const folder of MIGRATIONS)
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort())
      await lite.exec(await readFile(join(folder, file), 'utf8'));
  if (await hasPgvector(tx)) throw new Error('pgvector was not prepared yet');
  // PGlite has one connection: what a transaction runs goes through it.
  const prepare = () => createVectorIndex({ transaction: (work) => work(tx) }, 'memory', model);
  await prepare();
  await lite.exec('SET search_path TO memory');
  // Made again over all rows, which takes a tenth of the time of adding each.
  const [index] = await tx.query<{ indexname: string }>(
    "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'chunk_embeddings_hnsw%'",
  );
  await lite.exec(`DROP INDEX ${index!.indexname}; SET maintenance_work_mem TO '1GB'`);
  await fill(world, LARGE, size.chunks);
  await fill(world, SMALL, Math.round(size.chunks * SMALL_SHARE));
  await prepare();
  await lite.exec('SET search_path TO memory; ANALYZE');
  const plan = await lite.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT chunk_id FROM chunk_embeddings WHERE model = '${model.name}'
      ORDER BY embedding::vector(${size.dimensions}) <=> '[${vectorOf(1, size.dimensions).join(',')}]'::vector(${size.dimensions}) LIMIT 10`,
  );
  const byIndex = plan.rows.some((row) => row['QUERY PLAN'].includes('chunk_embeddings_hnsw'));
  const cells = {
    large: await recall(world, LARGE),
    largeFiltered: await recall(world, LARGE, ['vlt_7']),
    small: await recall(world, SMALL),
    smallFiltered: await recall(world, SMALL, ['vlt_7', 'vlt_8']),
  };
  await lite.close();
  return { size, byIndex, cells };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await measurePgvector(SPEC_SIZE)));
