import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase } from '@cairn/postgres';
import { startRunner } from '../../src/ledger/runner.ts';

// A replica that specs kill. Each step appends to a file, so that repeated work is detected.
const [url, schema, doneFile, version] = process.argv.slice(2) as [string, string, string, string];
const database = createDatabase({ url, applicationName: 'ledger-replica', poolMax: 6 });

await startRunner({
  database,
  schema,
  leaseMs: 1_500,
  // Being killed every second is not the fault of a run.
  stallsMax: 100,
  concurrencyMax: 20,
  onRunFinished: async () => undefined,
  completedEvent: (_run, result) => ({ type: 'run.completed', data: { result } }),
  onError: () => undefined,
  kinds: {
    lanes: async (context) => {
      const lanes = await Promise.all(
        ['a', 'b', 'c'].map(async (lane) => {
          const results: string[] = [];
          for (const number of [1, 2, 3, 4]) {
            const key = `${lane}/${number}`;
            results.push(
              await context.step(key, async (signal) => {
                await sleep(200 + Math.random() * 500, undefined, { signal });
                appendFileSync(doneFile, `${context.runId} ${key} ${version}\n`);
                return { result: key, events: [{ type: 'step.done', data: { key } }] };
              }),
            );
          }
          return results.join();
        }),
      );
      return lanes.join(';');
    },
  },
});
process.send?.('ready');
