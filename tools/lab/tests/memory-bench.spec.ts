import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FOUNDATION_MIGRATIONS } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase, othersShare, processorTime } from '@cairn/testing';
import { fillMemory, openBenchDeps, settleMerges } from '../bench/memory/bench-memory.ts';
import type { BenchUrls } from '../bench/memory/bench-server.ts';
import { BODY_WORDS, createCorpus } from '../bench/memory/corpus.ts';
import { CORPUS_LANGUAGES } from '../bench/memory/corpus-languages.ts';
import type { SizeResult } from '../bench/memory/growth.ts';
import { measureSearch } from '../bench/memory/measure-search.ts';
import { measureMergeDebt } from '../bench/memory/merge-debt.ts';
import { buildVectors } from '../bench/memory/peers.ts';
import { writeReports } from '../bench/memory/report.ts';
import { measureSingleIngests } from '../bench/memory/single-ingests.ts';
import { indexSize } from '../bench/memory/table-sizes.ts';
import { measureVisibility } from '../bench/memory/visibility.ts';

const MEMORY = join(import.meta.dirname, '..', '..', '..', 'apps', 'memory');
const MIGRATIONS = [FOUNDATION_MIGRATIONS, join(MEMORY, 'src', 'migrations')];
const CHUNKS = 600;
const databases: TestDatabase[] = [];
let growth: SizeResult;

async function newDatabase(): Promise<BenchUrls> {
  const database = await createTestDatabase({ service: 'memory', migrations: MIGRATIONS });
  databases.push(database);
  const superuserUrl = new URL(database.superuserUrl);
  superuserUrl.searchParams.set('options', '-c search_path=memory,public');
  return { url: database.url, workerUrl: database.workerUrl, superuserUrl: superuserUrl.href };
}

/** A bench server of the shared engine, which nobody may restart. */
async function serverOf(urls: BenchUrls) {
  return {
    urls,
    version: '17',
    roots: () => [process.pid],
    restart: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  };
}

afterAll(async () => {
  for (const database of databases) await database.close();
});

describe('the corpus', () => {
  const corpus = createCorpus(7);

  it('is the same for the same seed, in whatever order it is read, and another for another seed', () => {
    const first = Array.from({ length: 20 }, (_, n) => corpus.chunk(n));
    const again = createCorpus(7);
    expect(Array.from({ length: 20 }, (_, n) => again.chunk(19 - n)).toReversed()).toEqual(first);
    expect(createCorpus(8).chunk(0)).not.toEqual(first[0]);
    expect(again.query(3, 100)).toEqual(corpus.query(3, 100));
  });

  it('has chunks of 100 words in three languages by their shares, and few words that are everywhere', () => {
    const chunks = Array.from({ length: 1_000 }, (_, n) => corpus.chunk(n));
    for (const { code, share } of CORPUS_LANGUAGES) {
      const count = chunks.filter((chunk) => chunk.language.code === code).length;
      expect(Math.abs(count / chunks.length - share)).toBeLessThan(0.05);
    }
    expect(new Set(chunks.map((chunk) => chunk.body.split(' ').length))).toEqual(new Set([BODY_WORDS]));
    const distinct = new Set(chunks.flatMap((chunk) => chunk.body.toLowerCase().split(/\W+/)));
    expect(distinct.size).toBeGreaterThan(5_000);
  });

  it('asks 3 to 12 words, at least one of which a chunk holds', () => {
    for (let n = 0; n < 50; n++) {
      const { words } = corpus.query(n, 1);
      expect(words.length).toBeGreaterThanOrEqual(3);
      expect(words.length).toBeLessThanOrEqual(12);
      expect(corpus.chunk(0).body.toLowerCase()).toContain(words[0]);
    }
  });
});

describe('the processor time', () => {
  const busyFor = (ms: number) => {
    for (const untilMs = performance.now() + ms; performance.now() < untilMs;);
  };

  it('counts this process as the bench’s own, and as the work of others when it is none of the roots', async () => {
    const own = [await processorTime([process.pid])];
    const foreign = [await processorTime([])];
    busyFor(400);
    foreign.push(await processorTime([]));
    own.push(await processorTime([process.pid]));
    const [before, after] = own;
    expect(after!.own - before!.own).toBeGreaterThan(100);
    expect(foreign[1]!.own - foreign[0]!.own).toBe(0);
    expect(othersShare(foreign[0]!, foreign[1]!)).toBeGreaterThan(0.1);
  });
});

describe('the search bench', () => {
  let urls: BenchUrls;

  beforeAll(async () => {
    urls = await newDatabase();
    const parts = await openBenchDeps(urls);
    const { writingMs } = await fillMemory(parts, createCorpus(1), 0, CHUNKS);
    const mergingMs = await settleMerges(parts);
    const { visibleMs, retries } = await measureVisibility(parts, urls, 1, 3);
    await parts.close();
    const vectors = await buildVectors(urls);
    const index = await indexSize(urls);
    const cells = [];
    for (const peer of ['cairn', 'ts_rank'] as const) {
      const measured = await measureSearch(urls, {
        peer,
        seed: 1,
        chunkCount: CHUNKS,
        concurrency: 2,
        warmUpQueries: 2,
        queriesMax: 10,
        secondsMax: 10,
        statementTimeoutMs: 10_000,
      });
      for (const temperature of ['warm', 'cold'] as const) cells.push({ peer, temperature, concurrency: 1, measured });
    }
    growth = {
      chunks: CHUNKS,
      added: CHUNKS,
      writingMs,
      mergingMs,
      merges: 0,
      index,
      vectors,
      visibleMs,
      visibleRetries: retries,
      cells,
    };
  }, 60_000);

  it('gets hits from both peers for the same queries', () => {
    expect(growth.index.chunks).toBeGreaterThanOrEqual(CHUNKS);
    expect(growth.vectors?.chunks).toBe(CHUNKS);
    for (const { measured } of growth.cells) {
      expect(measured.latenciesMs).toHaveLength(10);
      expect(measured.timedOut).toBe(0);
      expect(measured.hits).toBeGreaterThan(50);
    }
  });

  it('finds every chunk with the first search after its commit', () => {
    expect(growth.visibleMs).toHaveLength(3);
    expect(growth.visibleRetries).toBe(0);
  });

  it('writes a page with a section and a picture for each part', async () => {
    const server = await serverOf(await newDatabase());
    const say = () => undefined;
    const singles = await measureSingleIngests(server, { documents: 80, seed: 1, say });
    const debt = await measureMergeDebt(await serverOf(await newDatabase()), {
      baseChunks: 100,
      seconds: 1,
      ratePerSecond: 30,
      seed: 1,
      say,
    });
    const folder = await mkdtemp(join(tmpdir(), 'cairn-bench-page-'));
    await writeReports({ environment: 'here', command: 'npm run bench', growth: [growth], singles, debt }, folder);
    const page = await readFile(join(folder, 'search.md'), 'utf8');
    for (const text of ['`ts_rank`', 'ratio', 'Merge debt', '| `index_pages` |']) expect(page).toContain(text);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
    for (const [, plot] of page.matchAll(/\]\(([\w-]+\.svg)\)/g)) {
      const svg = await readFile(join(folder, plot!), 'utf8');
      expect(svg).toMatch(/^<svg[^>]*>[\s\S]*<polyline[\s\S]*<\/svg>\n$/);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    }
    await rm(folder, { recursive: true });
  }, 60_000);
});
