import type { Meter, Models } from '@cairn/llm';
import type { StatementReader } from './answer/statement-reader.ts';
import type { Engines } from '../memories/engines.ts';
import type { SettingsSource } from '../memories/memory-settings.ts';
import type { MemoryResolver } from '../memories/resolve-memory.ts';
import type { PassageDeps } from './find-passages.ts';
import type { SearchLog } from './log/search-log.ts';
import type { TableAnswers } from './tables/table-answers.ts';
import type { VectorSearch } from './vector-search.ts';
import type { ThreadLocator } from '../threads/locate-thread.ts';

/** Longest waits of a search for its models, in milliseconds. */
interface ModelTimeouts {
  embeddingMs: number;
  rerankerMs: number;
  answerMs: number;
}

/** What a search uses. */
export interface SearchDeps {
  engines: Engines;
  memories: MemoryResolver;
  threads: ThreadLocator;
  settings: Pick<SettingsSource, 'read'>;
  models: Models;
  timeouts: ModelTimeouts;
  /** Takes usage of models that a memory cannot take any more. */
  meter: Meter;
  passages: PassageDeps;
  /** What it has read for answers. */
  statements: StatementReader;
  tables: TableAnswers;
  vectors: VectorSearch;
  searchLog: Pick<SearchLog, 'note'>;
  now: () => number;
}
