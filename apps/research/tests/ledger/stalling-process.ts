import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '@cairn/postgres';
import { startRunner } from '../../src/ledger/runner.ts';

// A replica with harmful kinds of runs, and a harmless one.
const [url, schema] = process.argv.slice(2) as [string, string];
const database = createDatabase({ url, applicationName: 'ledger-replica', poolMax: 6 });
/** Far longer than a busy machine stops a process: only what blocks deliberately may count as stalled. */
const LEASE_MS = 3_000;
const BLOCKED_MS = 1.2 * LEASE_MS;

await startRunner({
  database,
  schema,
  leaseMs: LEASE_MS,
  probationMs: 1_500,
  concurrencyMax: 20,
  onRunFinished: async () => undefined,
  completedEvent: (_run, result) => ({ type: 'run.completed', data: { result } }),
  onError: () => undefined,
  kinds: {
    kills: async (): Promise<never> => {
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    },
    blocks: (context) =>
      context.step('blocks', async () => {
        const until = performance.now() + BLOCKED_MS;
        while (performance.now() < until);
        await sleep(10);
        return { result: null };
      }),
    quiet: async (context) => {
      for (const number of [1, 2, 3])
        await context.step(`${number}`, async (signal) => {
          await sleep(100, undefined, { signal });
          return { result: number };
        });
      return 'done';
    },
  },
});
process.send?.('ready');
