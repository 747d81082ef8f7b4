import type { Tx } from '@cairn/postgres';

/** A memory of a tenant: what every statement of its index is scoped to. */
export interface IndexScope {
  tenantId: string;
  memoryId: string;
}

/**
 * What the index needs to know of a chunk. Text is analysed here; it is stored elsewhere. Of title, prefix and
 * body together, as many words are indexed as the analyser's `chunkWordsMax` says.
 */
export interface IndexChunk {
  chunkId: string;
  docId: string;
  vaultId: string;
  /** Titles from the document down to the section. */
  titlePath: string;
  /** Words that say what the chunk is about and that its own text may lack; may be empty. */
  contextPrefix: string;
  body: string;
  /** Milliseconds since the epoch, or null when the document names no time of its own. */
  occurredAtMs: number | null;
  createdAtMs: number;
}

/** Applied before the top k is chosen. */
export type IndexFilter =
  | { and: IndexFilter[] }
  | { or: IndexFilter[] }
  | { not: IndexFilter }
  | { vaultIds: readonly string[] }
  | { docIds: ReadonlySet<string> }
  | { occurredAt: TimeRange }
  | { createdAt: TimeRange };

/** Inclusive `gteMs`, exclusive `ltMs`. A chunk without the time is outside of every range. */
export interface TimeRange {
  gteMs?: number;
  ltMs?: number;
}

export interface IndexQuery {
  /**
   * The question as typed; at most 64 distinct words of it count. `"…"` among keywords or alone must be in every
   * hit as it stands; in a sentence (one with stop words outside of the quotes) it is only words.
   */
  text: string;
  limit: number;
  filter?: IndexFilter;
  /**
   * All that the caller may see. Hits are of it alone, and so are the frequencies and lengths that scores are made
   * of: as if nothing else were in the index.
   */
  within?: IndexFilter;
  /** Further words that hits may have, e.g. of earlier questions; each counts its weight times its own. */
  expansions?: readonly { text: string; weight: number }[];
  /** Called with the words that are scored, after they are weighed. */
  onWords?: (words: readonly ScoredWord[]) => void;
  /** Adds `explanation` to every hit. */
  explain?: boolean;
  signal?: AbortSignal;
}

/** A word of the query as the index weighs it. */
export interface ScoredWord {
  /** The terms it is indexed under, one per language and spelling. */
  terms: readonly string[];
  /** How often the query says it; below 1 for words of expansions. */
  weight: number;
  idf: number;
}

export interface IndexHit {
  chunkId: string;
  docId: string;
  score: number;
  /** The language that the chunk was read in; only the index knows it. */
  language?: string;
  explanation?: HitExplanation;
}

export interface HitExplanation {
  /** `said` is the word as the query says it. */
  terms: { said: string; df: number; idf: number; weightedFrequency: number; contribution: number }[];
  chunkLength: number;
  averageLength: number;
  chunkCount: number;
}

/**
 * The lexical index of memories. `add` and `remove` belong to the caller's transaction: they are visible
 * with its commit and gone with its rollback. `search` belongs to the caller's snapshot, so that hits and
 * the chunks read after them are of one moment. Order: score, highest first, then chunk id.
 *
 * An adapter over a search engine that has no part in the transaction cannot promise all of that: there, a search finds
 * what was committed once `publish` has resolved, and never what is gone or hidden from its snapshot.
 */
export interface SearchIndex {
  /** Chunk ids must be new to the memory, or removed before; a repeated id within the call is a RangeError. */
  add(tx: Tx, memory: IndexScope, chunks: readonly IndexChunk[]): Promise<void>;
  /** Unknown ids are skipped. A merge waits for the transaction's end: keep what follows short. */
  remove(tx: Tx, memory: IndexScope, chunkIds: readonly string[]): Promise<void>;
  /**
   * Takes the whole memory out of the index: out of answers at once, out of storage a bounded part per call. True
   * when nothing is left. Nothing may be added to it before.
   */
  drop(tx: Tx, memory: IndexScope): Promise<boolean>;
  /**
   * What is removed leaves answers at once and storage in time. This asks for all that was removed by committed
   * transactions to leave storage soon; returns the mark to call `expunged` with, null when there is nothing.
   */
  expunge(tx: Tx, memory: IndexScope): Promise<Date | null>;
  /** True when nothing that was removed before the mark is stored any more. Each call advances it, so call again. */
  expunged(tx: Tx, memory: IndexScope, mark: Date): Promise<boolean>;
  search(snapshot: Tx, memory: IndexScope, query: IndexQuery): Promise<IndexHit[]>;
  /**
   * Resolves when what was committed before is found by searches that begin afterwards; at once for an index that
   * commits with its caller. Throws `unavailable`.
   */
  publish(memory: IndexScope): Promise<void>;
}
