import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before the rest is imported, so that it is compiled once and not at every call.
const COMPILED = 'node_modules/.cache/cairn';
enableCompileCache(join(import.meta.dirname, '..', '..', '..', COMPILED));
const { runCommandLine } = await import('./command-line.ts');

// Whoever reads the answer may have read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, process);
