import type { MemoryScope } from './memory-scope.ts';

/** `move…` and `rebuild` begin and go on in the background; `check` compares, `repair` also puts right. */
export const SEARCH_ACTIONS = ['state', 'check', 'repair', 'rebuild', 'to_opensearch', 'to_postgres'] as const;
export type SearchAction = (typeof SEARCH_ACTIONS)[number];

/** Where a memory's lexical index is, and how far it is from what PostgreSQL holds. */
export interface SearchState {
  phase: string;
  copying: boolean;
  /** Changes that OpenSearch has still to be sent; counted up to a bound. */
  waiting: number;
  /** Null unless it was compared. */
  drift: { chunks: number; missing: number; surplus: number; misplaced: number } | null;
}

/** What an operator may do with the search engine of an engine. */
export interface ManagedSearch {
  manage(memory: MemoryScope, action: SearchAction): Promise<SearchState>;
}
