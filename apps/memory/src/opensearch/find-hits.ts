import type { Tx } from '@cairn/postgres';
import { compareText, type IndexHit, type IndexQuery, type LengthNorm, lengthNorm } from '@cairn/search-index';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { wordsOf } from './chunk-record.ts';
import { explainHits } from './explain-hits.ts';
import { filterClause, passesFilter } from './filter-clause.ts';
import type { Clause, FoundRecord, SearchCluster } from './search-cluster.ts';
import { type KnownLanguages, planWeightedQuery, type WeightedQuery, type WeightedWord } from './search-statistics.ts';
import { readFoundChunks } from './stored-chunks.ts';

/** Candidates that are scored exactly for each hit that is asked for. */
const CANDIDATES_PER_HIT = 10;
const CANDIDATES_MIN = 100;
const CANDIDATES_MAX = 10_000;
/** Asked for beyond the limit, so that ties at its end can be broken, and what PostgreSQL no longer has be left out. */
const SPARE_HITS = 30;

/**
 * The formula of our index over exact frequencies and lengths, with the memory's statistics. OpenSearch returns it
 * as a 32-bit number.
 */
const EXACT_SCORE = `double score = 0;
for (int i = 0; i < params.terms.length; i++) {
  double f = 0;
  for (int j = 0; j < params.terms[i].length; j++) f += termFreq('words', params.terms[i][j]);
  score += params.weights[i] * f / (f + params.base + params.slope * doc['length'].value);
}
return score;`;

/** Finds candidates in the cluster, and returns those that PostgreSQL has, in the caller's snapshot. */
export async function findHits(
  deps: { cluster: SearchCluster; languages: KnownLanguages },
  snapshot: Tx,
  memory: MemoryScope,
  query: IndexQuery,
): Promise<IndexHit[]> {
  query.signal?.throwIfAborted();
  if (query.limit <= 0) return [];
  const weighed = await planWeightedQuery(deps.cluster, memory, query, deps.languages);
  if (weighed === null) return [];
  query.onWords?.(weighed.words);
  const norm = lengthNorm(weighed.averageLength);
  for (let limit = query.limit + SPARE_HITS; ; limit *= 2) {
    const found = await findCandidates(deps.cluster, memory, query, { weighed, norm, limit });
    const hits = await verified(snapshot, memory, query, found);
    // Only when PostgreSQL is far ahead of the cluster are there too few.
    if (hits.length < query.limit && found.length === limit && limit < CANDIDATES_MAX / 2) continue;
    if (query.explain === true) return await explainHits(snapshot, memory, hits, { weighed, norm, limit: query.limit });
    return hits.slice(0, query.limit);
  }
}

function findCandidates(
  cluster: SearchCluster,
  memory: MemoryScope,
  query: IndexQuery,
  { weighed, norm, limit }: { weighed: WeightedQuery; norm: LengthNorm; limit: number },
): Promise<FoundRecord[]> {
  const { plan, words } = weighed;
  const filters = [query.within, query.filter].flatMap((filter) =>
    filter === undefined ? [] : [filterClause(filter)],
  );
  const phrases = plan.phrases.map(({ slots }) => phraseClause(slots));
  return cluster.find(memory, [...filters, ...phrases], {
    clauses: words.map((word) => ({ match: { words: { query: wordsOf([word.terms]), boost: weightOf(word) } } })),
    rescore: {
      script_score: {
        query: { match_all: {} },
        script: {
          source: EXACT_SCORE,
          params: {
            terms: words.map((word) => word.terms),
            weights: words.map(weightOf),
            base: norm.base,
            slope: norm.slope,
          },
        },
      },
    },
    depth: Math.min(Math.max(limit * CANDIDATES_PER_HIT, CANDIDATES_MIN), CANDIDATES_MAX),
    limit,
    signal: query.signal,
  });
}

function weightOf(word: WeightedWord): number {
  return word.idf * word.weight;
}

/** Every slot at its place. Offsets between slots are always filled by words, in texts as in queries. */
function phraseClause(slots: readonly { offset: number; terms: readonly string[] }[]): Clause {
  const filled: string[][] = [];
  for (const { offset, terms } of slots) {
    while (filled.length < offset) filled.push([]);
    filled.push([...terms]);
  }
  return { match_phrase: { words: { query: wordsOf(filled) } } };
}

/** The hits that are there for the caller, and where the cluster thinks they are; best first. */
async function verified(
  snapshot: Tx,
  memory: MemoryScope,
  query: IndexQuery,
  found: readonly FoundRecord[],
): Promise<IndexHit[]> {
  const rows = await readFoundChunks(snapshot, memory, found);
  query.signal?.throwIfAborted();
  return found
    .filter(({ chunkId }) => {
      const row = rows.get(chunkId);
      if (row === undefined) return false;
      if (query.within !== undefined && !passesFilter(query.within, row)) return false;
      return query.filter === undefined || passesFilter(query.filter, row);
    })
    .map(({ chunkId, docId, language, score }) => ({ chunkId, docId, language, score }))
    .sort((a, b) => b.score - a.score || compareText(a.chunkId, b.chunkId));
}
