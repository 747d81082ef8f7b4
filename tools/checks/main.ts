import { parseArgs } from 'node:util';
import { runSteps } from './run/run-steps.ts';
import { storeSeconds, recordSeconds } from './run/spec-seconds.ts';
import { type Step, STEPS } from './run/steps.ts';
import { summaryOf } from './run/summary.ts';

/** `npm test`: everything that has to hold before a change is merged. */
async function main(): Promise<number> {
  const chosen = readArguments();
  if (typeof chosen === 'string') {
    process.stderr.write(`${chosen}\n`);
    return 2;
  }
  const { steps, keepGoing, record, isQuick } = chosen;
  const interrupted = new AbortController();
  // The children are ended and the engines stopped before this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  const reports = await runSteps(steps, { keepGoing, isQuick, signal: interrupted.signal });
  process.stdout.write(summaryOf(reports));
  const specs = reports.flatMap(({ outcome }) => outcome?.tests?.specs ?? []);
  storeSeconds(specs);
  if (record) recordSeconds(specs);
  return reports.every(({ outcome }) => outcome?.ok === true) ? 0 : 1;
}

/** The steps to run, or what is wrong with the arguments. */
function readArguments(): { steps: Step[]; keepGoing: boolean; record: boolean; isQuick: boolean } | string {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      'keep-going': { type: 'boolean' },
      record: { type: 'boolean' },
      quick: { type: 'boolean' },
    },
  });
  const known = STEPS.map(({ name }) => name);
  const names = values.only?.split(',') ?? known;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) return `no step is called ${unknown.join(', ')}; there are ${known.join(', ')}`;
  return {
    steps: STEPS.filter(({ name }) => names.includes(name)),
    keepGoing: values['keep-going'] ?? false,
    record: values.record ?? false,
    isQuick: values.quick ?? false,
  };
}

process.exitCode = await main();
