import { BM25_B, BM25_K1 } from '@cairn/search-index';
import type { SearchAddress } from './search-address.ts';

/** Between the spellings of one word, which share its position. No word has the character. */
export const SPELLING_SEPARATOR = '\uE000';

/** The longest word is some spellings of 64 bytes each; the tokenizer cuts longer ones. */
const TOKEN_MAX_CHARS = 4_096;
/** A chunk can be found within this time after it was sent; bulk requests are answered after that. */
const REFRESH_INTERVAL = '500ms';
/** How long the version of a deleted chunk is remembered, so that a late request does not bring it back. */
const GC_DELETES = '1h';
/** Chunks that a filter may name. */
const TERMS_MAX = 65_536;

/**
 * BM25 without the word's rarity, which the query brings as the boost: OpenSearch knows it only of a shard and of
 * all memories in it. Lengths are rounded and the average is the shard's, so this only chooses candidates.
 */
const CANDIDATE_SCORE = `double f = doc.freq; double average = (double) field.sumTotalTermFreq / field.docCount;
return query.boost * f / (f + ${BM25_K1 * (1 - BM25_B)} + ${BM25_K1 * BM25_B} * doc.length / average);`;

/**
 * Settings and fields of the index. The text comes analysed: words are separated by spaces, the spellings of a word
 * by SPELLING_SEPARATOR, and words of the title are repeated as often as they count.
 */
export function indexDefinition({ shards, replicas, spread }: SearchAddress) {
  const keyword = { type: 'keyword' } as const;
  return {
    settings: {
      number_of_shards: shards,
      number_of_replicas: replicas,
      // Copies that are sent documents, not segments, show them once a write is answered.
      'replication.type': 'DOCUMENT',
      ...(spread > 1 ? { routing_partition_size: spread } : {}),
      refresh_interval: REFRESH_INTERVAL,
      gc_deletes: GC_DELETES,
      max_terms_count: TERMS_MAX,
      'merge.policy.expunge_deletes_allowed': 0,
      similarity: { candidates: { type: 'scripted', script: { source: CANDIDATE_SCORE } } },
      analysis: {
        tokenizer: { words: { type: 'whitespace', max_token_length: TOKEN_MAX_CHARS } },
        filter: {
          spellings: {
            type: 'pattern_capture',
            preserve_original: false,
            patterns: [`([^${SPELLING_SEPARATOR}]+)`],
          },
        },
        analyzer: { words: { type: 'custom', tokenizer: 'words', filter: ['spellings'] } },
      },
    },
    mappings: {
      dynamic: 'strict',
      // By memory; an index whose routing is spread is refused without.
      _routing: { required: true },
      // PostgreSQL has the text; nothing of it comes back from here.
      _source: { enabled: false },
      properties: {
        tenant: keyword,
        memory: keyword,
        chunk: keyword,
        doc: keyword,
        vault: keyword,
        language: keyword,
        /** Weighted words, exactly. */
        length: { type: 'integer' },
        occurred_at: { type: 'long' },
        created_at: { type: 'long' },
        words: { type: 'text', analyzer: 'words', similarity: 'candidates' },
      },
    },
  };
}
