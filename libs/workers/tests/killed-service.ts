import { join } from 'node:path';
import { createWorkerPool } from '../src/index.ts';
import type * as tasks from './tasks.ts';

// A service that is killed while one of its workers is busy for ever: it tells the process id of the worker.
const { run } = createWorkerPool<typeof tasks>({
  name: 'test',
  file: join(import.meta.dirname, 'tasks.ts'),
  workers: 1,
  cpuMaxMs: 600_000,
  heapMaxMb: 64,
  queueMax: 1,
});
const pid = await run('tnt_1', undefined as never, 'pid');
const busy = run('tnt_1', undefined as never, 'loop');
process.stdout.write(`${pid}`);
await busy;
