import type { Engines } from '../../memories/engines.ts';
import type { MemoryResolver } from '../../memories/resolve-memory.ts';
import type { SearchLog } from './search-log.ts';

/** What operations on kept searches use. */
export interface SearchLogOperationDeps {
  engines: Engines;
  memories: MemoryResolver;
  searchLog: SearchLog;
}
