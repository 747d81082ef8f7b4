import { openSync, writeSync } from 'node:fs';
import { createDatabase } from '@cairn/postgres';
import { runWorkload } from '@cairn/search-index/workload';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import { ANALYSER } from '../../../../../apps/memory/src/text/analyser.ts';

/** One process of the stress run; its one argument is this as JSON. Prints its report as JSON when it is done. */
export interface StressProcessArguments {
  url: string;
  workerUrl: string;
  memory: MemoryScope;
  untilMs: number;
  /** A file that both processes append what they wrote to, one JSON value a line. */
  journalFile: string;
}

const POOL_MAX = 12;

const given = JSON.parse(process.argv[2] ?? '{}') as StressProcessArguments;
const app = createDatabase({ url: given.url, applicationName: 'index-stress', poolMax: POOL_MAX });
const worker = createDatabase({ url: given.workerUrl, applicationName: 'index-stress-worker', poolMax: POOL_MAX });
const journal = openSync(given.journalFile, 'a');
const report = await runWorkload({
  app,
  worker,
  memory: given.memory,
  analyser: ANALYSER,
  writers: 4,
  mergers: 1,
  readers: 4,
  done: () => Date.now() >= given.untilMs,
  // At once and whole: what is in the file survives kill -9 of this process.
  journal: (entry) => void writeSync(journal, `${JSON.stringify(entry)}\n`),
});
process.stdout.write(JSON.stringify(report));
await app.close();
await worker.close();
