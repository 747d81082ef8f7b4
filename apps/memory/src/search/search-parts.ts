import type { Meter, Models } from '@cairn/llm';
import type { StatementReader } from '../answer/statement-reader.ts';
import type { Engines } from '../engines/engines.ts';
import type { MemoryLookup } from '../memory-lookup.ts';
import type { PassageParts } from './find-passages.ts';
import type { NearChunks } from './near-chunks.ts';

/** What a search uses. */
export interface SearchParts {
  engines: Engines;
  lookup: MemoryLookup;
  models: Models;
  /** Takes usage of models that a memory cannot take any more. */
  meter: Meter;
  passages: PassageParts;
  /** What it has read for answers. */
  statements: StatementReader;
  near: NearChunks;
  now: () => number;
}
