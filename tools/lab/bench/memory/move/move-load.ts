import { BENCH_MEMORY, indexChunkOf, insertDocuments, rowOf } from '../bench-memory.ts';
import type { Corpus } from '../corpus.ts';
import { insertChunks } from '../../../../../apps/memory/src/documents/chunk-store.ts';
import type { MoveSetup } from './move-setup.ts';

export interface MoveLoad {
  acknowledged: string[];
  searches: number;
  refused: string[];
  /** When writes were acknowledged. */
  ackedAtMs: number[];
  longestWriteMs: number;
  longestSearchMs: number;
  stop(): Promise<void>;
}

const WRITERS = 3;
const SEARCHERS = 1;
const PAUSE_MS = 10;
/** Apart from what is searched, so that the statistics of that are the same before and after. */
const LOAD_VAULT_ID = 'vlt_load';

/** Writers and searchers that know the memory's first engine, as requests do whose resolution is cached. */
export function startMoveLoad(world: MoveSetup, corpus: Corpus, firstChunk: number): MoveLoad {
  let next = firstChunk;
  let isStopped = false;
  const load: MoveLoad = {
    acknowledged: [],
    searches: 0,
    refused: [],
    ackedAtMs: [performance.now()],
    longestWriteMs: 0,
    longestSearchMs: 0,
    async stop() {
      isStopped = true;
      await Promise.all(loops);
    },
  };
  const write = async () => {
    const row = { ...rowOf(corpus, (next += 8)), vault_id: LOAD_VAULT_ID };
    await world.pool.write(world.memory, async ({ tx, index }) => {
      await insertDocuments(tx, [row.doc_id]);
      await insertChunks(tx, BENCH_MEMORY, [row]);
      await index.add(tx, BENCH_MEMORY, [indexChunkOf(row)]);
    });
    load.ackedAtMs.push(performance.now());
    load.acknowledged.push(row.chunk_id);
  };
  const search = async (n: number) => {
    const text = corpus.query(n, firstChunk).words.join(' ');
    await world.pool.read(world.memory, ({ tx, index }) => index.search(tx, BENCH_MEMORY, { text, limit: 10 }));
    load.searches += 1;
  };
  const loop = async (work: (n: number) => Promise<void>, took: 'longestWriteMs' | 'longestSearchMs') => {
    for (let n = 0; !isStopped; n += 1) {
      const startedMs = performance.now();
      await work(n).catch((error: unknown) => load.refused.push(String(error)));
      load[took] = Math.max(load[took], performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const loops = [
    ...Array.from({ length: WRITERS }, () => loop(write, 'longestWriteMs')),
    ...Array.from({ length: SEARCHERS }, () => loop(search, 'longestSearchMs')),
  ];
  return load;
}

/** The longest time without an acknowledged write that touches the time between `fromMs` and `toMs`. */
export function longestGap({ ackedAtMs }: MoveLoad, fromMs: number, toMs: number): number {
  let longest = 0;
  for (let n = 1; n < ackedAtMs.length; n += 1) {
    const [before, after] = [ackedAtMs[n - 1]!, ackedAtMs[n]!];
    if (after > fromMs && before < toMs) longest = Math.max(longest, after - before);
  }
  return longest;
}
