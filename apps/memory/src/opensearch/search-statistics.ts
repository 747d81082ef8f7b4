import {
  type IndexQuery,
  inverseDocumentFrequency,
  languagesByCount,
  type MemoryStatistics,
  planQuery,
  type QueryPlan,
  type QueryWord,
} from '@cairn/search-index';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { LRUCache } from 'lru-cache';
import { filterClause } from './filter-clause.ts';
import type { Clause, SearchCluster, Sums } from './search-cluster.ts';
import { ANALYSER } from '../text/analyser.ts';

export interface WeightedWord extends QueryWord {
  df: number;
  idf: number;
}

/** A query as the memory's statistics weigh it. */
export interface WeightedQuery {
  plan: QueryPlan;
  words: WeightedWord[];
  chunkCount: number;
  averageLength: number;
}

/** The languages a memory had last: a guess, so that words can be counted in the request that counts languages. */
export type KnownLanguages = LRUCache<string, MemoryStatistics['languages']>;

const LANGUAGES_MAX = 64;

/**
 * Plans the query and weighs its words by the statistics of what the caller may see. One request where the memory's
 * languages are those of last time, otherwise two.
 */
export async function planWeightedQuery(
  cluster: SearchCluster,
  memory: MemoryScope,
  query: IndexQuery,
  known: KnownLanguages,
): Promise<WeightedQuery | null> {
  const filters = query.within === undefined ? [] : [filterClause(query.within)];
  const count = (plan: QueryPlan) =>
    cluster.aggregate(memory, filters, { ...STATISTICS, ...frequencies(plan) }, query.signal);
  const key = `${memory.memoryId} ${JSON.stringify(query.within ?? null)}`;
  const planFor = (languages: MemoryStatistics['languages']) =>
    planQuery(query.text, languages, ANALYSER, query.expansions);
  let plan = planFor(known.get(key) ?? NO_LANGUAGES);
  let sums = await count(plan);
  const statistics = statisticsOf(sums);
  if (statistics.chunkCount === 0) return null;
  known.set(key, statistics.languages);
  const actual = planFor(statistics.languages);
  if (JSON.stringify(actual.words) !== JSON.stringify(plan.words)) sums = await count(actual);
  plan = actual;
  if (plan.words.length === 0) return null;
  const { chunkCount, totalLength } = statistics;
  return { plan, words: weighed(plan, sums, chunkCount), chunkCount, averageLength: totalLength / chunkCount };
}

const NO_LANGUAGES: MemoryStatistics['languages'] = { main: [], rare: [] };

const STATISTICS = {
  length: { sum: { field: 'length' } },
  languages: { terms: { field: 'language', size: LANGUAGES_MAX } },
};

interface Answered {
  length?: { value: number };
  languages?: { buckets: { key: string; doc_count: number }[] };
  frequencies?: { buckets: Record<string, { doc_count: number }> };
}

function statisticsOf(sums: Sums): MemoryStatistics {
  const { length, languages } = sums.aggregations as Answered;
  return {
    chunkCount: sums.chunkCount,
    totalLength: length?.value ?? 0,
    languages: languagesByCount(new Map(languages?.buckets.map((bucket) => [bucket.key, bucket.doc_count]))),
  };
}

/** Counts the chunks that hold each term. */
function frequencies(plan: QueryPlan): Clause {
  const terms = new Set(plan.words.flatMap((word) => word.terms));
  if (terms.size === 0) return {};
  const filters = Object.fromEntries([...terms].map((term) => [term, { term: { words: term } }]));
  return { frequencies: { filters: { filters } } };
}

function weighed(plan: QueryPlan, sums: Sums, chunkCount: number): WeightedWord[] {
  const buckets = (sums.aggregations as Answered).frequencies?.buckets ?? {};
  return plan.words.map((word) => {
    const sum = word.terms.reduce((total, term) => total + (buckets[term]?.doc_count ?? 0), 0);
    const df = Math.min(sum, chunkCount);
    return { ...word, df, idf: inverseDocumentFrequency(chunkCount, df) };
  });
}
