import { parseArgs } from 'node:util';
import { type Report, runSteps, verdict } from './check/run-steps.ts';
import { type Step, STEPS } from './check/steps.ts';

/** `npm test`: everything that has to hold before a change is merged. */
async function main(): Promise<number> {
  const { steps, keepGoing } = readArguments();
  const interrupted = new AbortController();
  // The children are ended and the engines stopped before this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted.abort());
  const reports = await runSteps(steps, keepGoing, interrupted.signal);
  printSummary(reports);
  return reports.every(({ outcome }) => outcome?.ok === true) ? 0 : 1;
}

function readArguments(): { steps: Step[]; keepGoing: boolean } {
  const { values } = parseArgs({ options: { only: { type: 'string' }, 'keep-going': { type: 'boolean' } } });
  const names = values.only?.split(',') ?? STEPS.map(({ name }) => name);
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    throw new Error(`unknown step ${unknown.join(', ')}; there are ${STEPS.map(({ name }) => name).join(', ')}`);
  }
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
  process.stdout.write(`\nTests: ${sum('passed')} passed, ${sum('failed')} failed\n`);
}

process.exitCode = await main();
