import { parseArgs } from 'node:util';
import { type Report, runSteps, verdict } from './check/run-steps.ts';
import { type Step, STEPS } from './check/steps.ts';

const SLOWEST_SHOWN = 15;

/** `npm test`: everything that has to hold before a change is merged. */
async function main(): Promise<number> {
  const chosen = readArguments();
  if (typeof chosen === 'string') {
    process.stderr.write(`${chosen}\n`);
    return 2;
  }
  const { steps, keepGoing } = chosen;
  const interrupted = new AbortController();
  // The children are ended and the engines stopped before this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  const reports = await runSteps(steps, keepGoing, interrupted.signal);
  printSummary(reports);
  return reports.every(({ outcome }) => outcome?.ok === true) ? 0 : 1;
}

/** The steps to run, or what is wrong with the arguments. */
function readArguments(): { steps: Step[]; keepGoing: boolean } | string {
  const { values } = parseArgs({ options: { only: { type: 'string' }, 'keep-going': { type: 'boolean' } } });
  const known = STEPS.map(({ name }) => name);
  const names = values.only?.split(',') ?? known;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) return `no step is called ${unknown.join(', ')}; there are ${known.join(', ')}`;
  return { steps: STEPS.filter(({ name }) => names.includes(name)), keepGoing: values['keep-going'] ?? false };
}

function printSummary(reports: Report[]): void {
  const rows = reports.map((report) => {
    const time = report.outcome === null ? '' : `${report.seconds.toFixed(1)} s`;
    return `${report.step.name.padEnd(12)}${verdict(report).padEnd(9)}${time.padStart(8)}  ${report.outcome?.note ?? ''}`;
  });
  process.stdout.write(`\n== summary\n${rows.map((row) => `${row.trimEnd()}\n`).join('')}`);
  if (!reports.some(({ step }) => step.runsTests)) return;
  const sum = (count: 'passed' | 'failed') =>
    reports.reduce((total, { outcome }) => total + (outcome?.tests?.[count] ?? 0), 0);
  const specs = reports.flatMap(({ outcome }) => outcome?.tests?.specs ?? []);
  const slowest = specs.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  process.stdout.write('\nSlowest spec files:\n');
  for (const { file, seconds } of slowest) process.stdout.write(`${seconds.toFixed(0).padStart(6)} s  ${file}\n`);
  process.stdout.write(`\nTests: ${sum('passed')} passed, ${sum('failed')} failed\n`);
}

process.exitCode = await main();
