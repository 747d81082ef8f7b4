import type { Database } from '@cairn/postgres';
import type { MemorySource } from '../memory/memory-source.ts';
import type { TextWorkers } from '../text-work/text-workers.ts';

/** What the work of runs is done with. */
export interface WorkParts {
  /** As the worker role; every transaction is under the run's tenant. */
  database: Database;
  memory: MemorySource;
  text: TextWorkers;
  clarifyWithinMs: number;
}
