import { createDatabase } from '@cairn/postgres';
import { createSegmentIndex } from '@cairn/search-index';
import { insertChunks } from '../../../../apps/memory/src/documents/chunk-store.ts';
import { BENCH_MEMORY, type BenchDeps, indexChunkOf, insertDocuments } from './bench-memory.ts';
import type { BenchUrls } from './bench-server.ts';
import { ANALYSER } from '../../../../apps/memory/src/text/analyser.ts';

const ROUNDS = 100;
const TRIES_MAX = 1_000;

/**
 * Commits chunks one by one and asks, as another replica would (own cache, own connections), for a word that
 * only the new one has. The chunks are taken out again. Milliseconds from the commit's answer to the hit.
 */
export async function measureVisibility(
  deps: BenchDeps,
  urls: BenchUrls,
  run: number,
  rounds = ROUNDS,
): Promise<{ visibleMs: number[]; retries: number }> {
  const replica = createDatabase({ url: urls.url, applicationName: 'bench-replica', poolMax: 2 });
  const index = createSegmentIndex({ analyser: ANALYSER });
  const find = (text: string) =>
    replica.withTenant(BENCH_MEMORY.tenantId, (tx) => index.search(tx, BENCH_MEMORY, { text, limit: 1 }), {
      mode: 'snapshot',
    });
  await find('warm');
  const visibleMs: number[] = [];
  const chunkIds: string[] = [];
  let retries = 0;
  for (let round = 0; round < rounds; round++) {
    const marker = `marker${run}x${round}`;
    chunkIds.push(await commitOne(deps, marker));
    const committedMs = performance.now();
    let tries = 1;
    while ((await find(marker)).length === 0) {
      if (++tries > TRIES_MAX) throw new Error(`${marker} was committed and is not found`);
    }
    visibleMs.push(performance.now() - committedMs);
    retries += tries - 1;
  }
  await takeOut(deps, chunkIds);
  await replica.close();
  return { visibleMs, retries };
}

async function commitOne(deps: BenchDeps, marker: string): Promise<string> {
  const row = {
    chunk_id: `chk_${marker}`,
    doc_id: `doc_${marker}`,
    vault_id: 'vlt_bench',
    ordinal: 0,
    title_path: 'A chunk of its own',
    context_prefix: '',
    body: `It says ${marker}.`,
    body_sha256: Buffer.alloc(32),
    location: { configuration: 'english' },
    occurred_at: null,
  };
  await deps.app.withTenant(BENCH_MEMORY.tenantId, async (tx) => {
    await insertDocuments(tx, [row.doc_id]);
    await insertChunks(tx, BENCH_MEMORY, [row]);
    await deps.index.add(tx, BENCH_MEMORY, [indexChunkOf(row)]);
  });
  return row.chunk_id;
}

async function takeOut(deps: BenchDeps, chunkIds: readonly string[]): Promise<void> {
  await deps.app.withTenant(BENCH_MEMORY.tenantId, async (tx) => {
    await tx.execute('DELETE FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY ($3)', [
      BENCH_MEMORY.tenantId,
      BENCH_MEMORY.memoryId,
      chunkIds,
    ]);
    await deps.index.remove(tx, BENCH_MEMORY, chunkIds);
  });
}
