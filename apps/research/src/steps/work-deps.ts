import type { Database } from '@cairn/postgres';
import type { MemorySource } from '../memory/memory-source.ts';
import type { TextWorkers } from '../workers/text-workers.ts';

/** The dependencies of every workflow. */
export interface WorkDeps {
  /** Connected as the worker role; every transaction is scoped to the run's tenant. */
  database: Database;
  memory: MemorySource;
  text: TextWorkers;
  clarifyWithinMs: number;
}
