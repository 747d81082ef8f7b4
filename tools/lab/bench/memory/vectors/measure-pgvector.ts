import type { IndexFilter } from '@cairn/search-index';
import { wordVector } from '@cairn/testing';
import { quantile } from '../../../measurement/quantile.ts';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import { createVectorIndex } from '../../../../../apps/memory/src/vectors/create-vector-index.ts';
import { convertVectors, storeVectors } from '../../../../../apps/memory/src/vectors/embedding-store.ts';
import { nearestChunks } from '../../../../../apps/memory/src/vectors/nearest-chunks.ts';
import { createCorpus } from '../corpus.ts';
import { openLite, type VectorStore } from './vector-store.ts';

const LARGE: MemoryScope = { tenantId: 'tnt_large', memoryId: 'mem_large' };
const MIDDLE: MemoryScope = { tenantId: 'tnt_middle', memoryId: 'mem_middle' };
const SMALL: MemoryScope = { tenantId: 'tnt_small', memoryId: 'mem_small' };
const SMALL_SHARE = 0.01;
const VAULTS = 100;
const TEXT_WORDS = 14;
const BATCH = 1_000;
const corpus = createCorpus(11);

interface PgvectorSize {
  /** Of the large memory; the small one has 1 % of it. */
  chunks: number;
  /** Of a memory in between, whose entries are few among the others' and which is large enough for the index; 0: none. */
  middle: number;
  dimensions: number;
  /** Below `chunks`, so that the index is asked. */
  exactScanMax: number;
  questions: number;
  efSearches: readonly number[];
}

/** As the spec has it. */
const SPEC_SIZE: PgvectorSize = {
  chunks: 6_000,
  middle: 0,
  dimensions: 64,
  exactScanMax: 3_000,
  questions: 20,
  efSearches: [],
};

interface World {
  store: VectorStore;
  size: PgvectorSize;
  model: { name: string; dimensions: number };
  /** Exact answers so far, and the milliseconds that each took. */
  known: Map<string, { ids: string[]; tookMs: number }>;
}

const vectorOf = (n: number, dimensions: number) =>
  Float32Array.from(wordVector(corpus.chunk(n).body.split(' ').slice(0, TEXT_WORDS).join(' '), dimensions));

async function fill({ store, model }: World, scope: MemoryScope, from: number, to: number): Promise<void> {
  for (let first = from + 1; first <= to; first += BATCH) {
    const count = Math.min(BATCH, to - first + 1);
    const rows = Array.from({ length: count }, (_, at) => ({
      chunkId: `chk_${first + at}`,
      textSha256: Buffer.from([0]),
      vector: vectorOf(first + at, model.dimensions),
    }));
    await store.inTenant(scope.tenantId, async (tx) => {
      const numbers = [scope.tenantId, scope.memoryId, first, first + count - 1];
      await tx.execute(
        `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
         SELECT $1, $2, 'doc_' || n, 'ws', true, 'vlt_' || n % ${VAULTS}, '', 'text/plain', int4send(n), 1, 'completed' FROM generate_series($3::int, $4::int) AS n`,
        numbers,
      );
      await tx.execute(
        `INSERT INTO chunks (tenant_id, memory_id, chunk_id, doc_id, vault_id, ordinal, title_path, context_prefix, body, body_sha256, location)
         SELECT $1, $2, 'chk_' || n, 'doc_' || n, 'vlt_' || n % ${VAULTS}, 0, '', '', '', '', '{}' FROM generate_series($3::int, $4::int) AS n`,
        numbers,
      );
      await storeVectors(tx, scope, model.name, rows);
    });
  }
}

/** The ten nearest by comparing all, in PostgreSQL, and how long that took. */
async function exact(world: World, scope: MemoryScope, n: number, vaultIds?: string[]) {
  const { store, known, model } = world;
  const key = JSON.stringify([scope, n, vaultIds]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const startedMs = performance.now();
  const rows = await store.inTenant(scope.tenantId, (tx) =>
    tx.query<{ chunk_id: string }>(
      `SELECT chunk_id FROM chunk_embeddings JOIN chunks USING (tenant_id, memory_id, chunk_id)
        WHERE tenant_id = $1 AND memory_id = $2 AND ($4::text[] IS NULL OR vault_id = ANY($4))
        ORDER BY (embedding::vector(${model.dimensions}) <=> $3::vector(${model.dimensions})) + 0, chunk_id LIMIT 10`,
      [scope.tenantId, scope.memoryId, `[${vectorOf(n, model.dimensions).join(',')}]`, vaultIds ?? null],
    ),
  );
  const answer = { ids: rows.map((row) => row.chunk_id), tookMs: performance.now() - startedMs };
  known.set(key, answer);
  return answer;
}

/** Converts the small memory's vectors, and says whether a question is answered the same before and after. */
async function convert({ store, size, model }: World, stored: number): Promise<boolean> {
  const ask = async () => {
    const vector = vectorOf(size.chunks + 1, model.dimensions);
    const query = { model: model.name, vector, limit: 10, filter: undefined };
    const hits = await store.inTenant(SMALL.tenantId, (tx) => nearestChunks(tx, SMALL, query));
    return hits.map((hit) => hit.chunkId).join();
  };
  const before = await ask();
  let converted = 0;
  for (let some = 1; some > 0; converted += some) some = await store.asWorker((tx) => convertVectors(tx, stored));
  return before !== '' && before === (await ask()) && converted === stored;
}

interface QueryRun {
  vaultIds?: string[];
  exactScanMax?: number;
  efSearch?: number;
  /** The filter is put so that PostgreSQL has no index for it. */
  byIndex?: boolean;
}

function filterOf(vaultIds: readonly string[], byIndex: boolean): IndexFilter {
  if (!byIndex) return { vaultIds };
  const all = Array.from({ length: VAULTS }, (_none, n) => `vlt_${n}`);
  return { not: { vaultIds: all.filter((vaultId) => !vaultIds.includes(vaultId)) } };
}

/** Share of the ten nearest that are found by texts that no chunk has, and how long that and comparing all takes. */
async function recall(
  world: World,
  scope: MemoryScope,
  { vaultIds, exactScanMax = world.size.exactScanMax, efSearch, byIndex = false }: QueryRun = {},
): Promise<PgvectorCell> {
  const { store, size, model } = world;
  let found = 0;
  let wanted = 0;
  const times = { exact: [] as number[], asked: [] as number[] };
  const filter = vaultIds === undefined ? undefined : filterOf(vaultIds, byIndex);
  for (let at = 0; at < size.questions; at++) {
    const n = size.chunks + 1 + at;
    const truth = await exact(world, scope, n, vaultIds);
    times.exact.push(truth.tookMs);
    const startedMs = performance.now();
    const hits = await store.inTenant(scope.tenantId, (tx) =>
      nearestChunks(tx, scope, {
        model: model.name,
        vector: vectorOf(n, model.dimensions),
        limit: 10,
        exactScanMax,
        ...(efSearch === undefined ? {} : { efSearch }),
        filter,
      }),
    );
    times.asked.push(performance.now() - startedMs);
    const ids = new Set(hits.map((hit) => hit.chunkId));
    found += truth.ids.filter((id) => ids.has(id)).length;
    wanted += truth.ids.length;
  }
  return {
    recall: found / wanted,
    p50: quantile(times.asked, 0.5),
    p95: quantile(times.asked, 0.95),
    exactP50: quantile(times.exact, 0.5),
    exactP95: quantile(times.exact, 0.95),
  };
}

/** Share of the ten nearest of an exact scan that were found, and milliseconds of asking and of that scan. */
interface PgvectorCell {
  recall: number;
  p50: number;
  p95: number;
  exactP50: number;
  exactP95: number;
}

export interface PgvectorMeasurement {
  version: string;
  size: PgvectorSize;
  /** Whether a large memory's question was planned over the HNSW index. */
  byIndex: boolean;
  /** Of the HNSW index over all vectors. */
  builtMs: number;
  indexBytes: number;
  /** The table of vectors with all its indexes. */
  totalBytes: number;
  /** Whether vectors from before pgvector was installed are found before and after they are converted. */
  convertedLater: boolean;
  /** The large memory, with other sizes of the list of candidates. */
  byEfSearch: { efSearch: number; cell: PgvectorCell }[];
  cells: Record<
    'large' | 'largeFiltered' | 'largeFilteredByIndex' | 'smallByIndex' | 'small' | 'smallFiltered',
    PgvectorCell
  > & {
    middle?: PgvectorCell;
  };
}

/** A large memory and one with 1 % of its chunks, in a PostgreSQL with pgvector. */
export async function measurePgvector(store: VectorStore, size: PgvectorSize): Promise<PgvectorMeasurement> {
  const model = { name: 'local/vectors', dimensions: size.dimensions };
  const world: World = { store, size, model, known: new Map() };
  const few = Math.round(size.chunks * SMALL_SHARE);
  const prepare = () => createVectorIndex(store, 'memory', model);
  // Before pgvector is there.
  await fill(world, SMALL, 0, few);
  if (!(await prepare())) throw new Error('this PostgreSQL has no pgvector');
  const convertedLater = await convert(world, few);
  // Made again over all rows, which takes a tenth of the time of adding each.
  const [index] = await store.admin(
    "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'chunk_embeddings_hnsw%' AND schemaname = 'memory'",
  );
  await store.admin(`DROP INDEX memory.${index!['indexname']}`);
  await fill(world, LARGE, 0, size.chunks);
  await fill(world, MIDDLE, 0, size.middle);
  const startedMs = performance.now();
  await prepare();
  const builtMs = performance.now() - startedMs;
  await store.admin('VACUUM ANALYZE');
  const [bytes] = await store.admin(
    `SELECT pg_relation_size('memory.${index!['indexname']}') AS index, pg_total_relation_size('memory.chunk_embeddings') AS total`,
  );
  const plan = await store.admin(
    `EXPLAIN SELECT chunk_id FROM chunk_embeddings WHERE model = '${model.name}'
      ORDER BY embedding::vector(${size.dimensions}) <=> '[${vectorOf(1, size.dimensions).join(',')}]'::vector(${size.dimensions}) LIMIT 10`,
  );
  const byIndex = plan.some((row) => String(row['QUERY PLAN']).includes('chunk_embeddings_hnsw'));
  const cells = {
    large: await recall(world, LARGE),
    largeFiltered: await recall(world, LARGE, { vaultIds: ['vlt_7'] }),
    largeFilteredByIndex: await recall(world, LARGE, { vaultIds: ['vlt_7'], byIndex: true }),
    ...(size.middle === 0 ? {} : { middle: await recall(world, MIDDLE) }),
    smallByIndex: await recall(world, SMALL, { exactScanMax: 0 }),
    small: await recall(world, SMALL),
    smallFiltered: await recall(world, SMALL, { vaultIds: ['vlt_7', 'vlt_8'] }),
  };
  const byEfSearch = [];
  for (const efSearch of size.efSearches) byEfSearch.push({ efSearch, cell: await recall(world, LARGE, { efSearch }) });
  return {
    version: store.version,
    size,
    byIndex,
    byEfSearch,
    builtMs,
    indexBytes: Number(bytes!['index']),
    totalBytes: Number(bytes!['total']),
    convertedLater,
    cells,
  };
}

if (import.meta.main) {
  const store = await openLite();
  process.stdout.write(JSON.stringify(await measurePgvector(store, SPEC_SIZE)));
  await store.close();
}
