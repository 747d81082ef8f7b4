import { once } from 'node:events';
import { openBenchDeps } from './bench-memory.ts';
import type { BenchUrls } from './bench-server.ts';
import { startPipelineServer } from './pipeline-server.ts';

// Serves searches of the database whose connection strings are its one argument until its input ends; says where in its
// first line.
const deps = await openBenchDeps(JSON.parse(process.argv[2] ?? '{}') as BenchUrls);
const { url, headers, close } = await startPipelineServer(deps);
process.stdout.write(`${JSON.stringify({ url, headers })}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
await close();
await deps.close();
