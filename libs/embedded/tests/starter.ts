import { startNats, startPostgres } from '../src/index.ts';

/** A process of its own that starts one server and then waits to be killed: `node starter.ts postgres|nats <options>`. */
const [kind, options = '{}'] = process.argv.slice(2);
const log = (line: string) => process.stderr.write(`${line}\n`);

try {
  const parsed = JSON.parse(options);
  const server = kind === 'nats' ? await startNats({ ...parsed, log }) : await startPostgres({ ...parsed, log });
  process.stdout.write(`${JSON.stringify(server)}\n`);
  setInterval(() => {}, 60_000);
} catch (error) {
  const failed = error as { code?: string; message?: string; hint?: string };
  process.stdout.write(`${JSON.stringify({ error: failed.code, message: failed.message, hint: failed.hint })}\n`);
}
