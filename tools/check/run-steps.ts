import { availableParallelism } from 'node:os';
import type { Outcome, Step, StepContext } from './steps.ts';
import { UNSTABLE_MAX } from './second-run.ts';
import { clearTestResults } from './test-results.ts';

export interface Report {
  step: Step;
  /** Null for a step that was not run, because one before it failed. */
  outcome: Outcome | null;
  seconds: number;
}

/** Runs the cheap steps beside each other, then the specs one step after the other. */
export async function runSteps(steps: Step[], keepGoing: boolean, signal: AbortSignal): Promise<Report[]> {
  const cheap = steps.filter(({ runsTests }) => !runsTests);
  const slow = steps.filter(({ runsTests }) => runsTests);
  const reports = await runBeside(cheap, { signal, env: {}, unstableMax: 0 });
  const stop = () => signal.aborted || (!keepGoing && reports.some(({ outcome }) => outcome?.ok === false));
  if (slow.length === 0 || stop()) return [...reports, ...slow.map(notRun)];
  const engines = await startEngines();
  try {
    clearTestResults();
    for (const step of slow) {
      heading(step.name);
      const unstable = reports.flatMap(({ outcome }) => outcome?.tests?.unstable ?? []).length;
      const context = { signal, env: engines.env, unstableMax: UNSTABLE_MAX - unstable };
      reports.push(stop() ? notRun(step) : await runOne(step, context));
    }
  } finally {
    await engines.stop();
  }
  return reports;
}

async function runBeside(steps: Step[], context: StepContext): Promise<Report[]> {
  const waiting = [...steps];
  const reports: Report[] = [];
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const report = await runOne(step, context);
      reports.push(report);
      heading(`${step.name}: ${verdict(report)}, ${report.seconds.toFixed(1)} s`);
      if (report.outcome?.ok === false) process.stdout.write(`${report.outcome.output.trimEnd()}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return reports.toSorted((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step));
}

async function runOne(step: Step, context: StepContext): Promise<Report> {
  const started = performance.now();
  const outcome = await step.run(context);
  return { step, outcome, seconds: (performance.now() - started) / 1000 };
}

function notRun(step: Step): Report {
  return { step, outcome: null, seconds: 0 };
}

/** One PostgreSQL for all specs; loaded here, so that the cheap steps run even when the harness is broken. */
async function startEngines(): Promise<{ env: Record<string, string>; stop(): Promise<void> }> {
  const { startTestEngines } = await import('@cairn/testing');
  return startTestEngines();
}

function heading(text: string): void {
  process.stdout.write(`\n== ${text}\n`);
}

export function verdict({ outcome }: Report): string {
  if (outcome === null) return 'not run';
  return outcome.ok ? 'ok' : 'FAILED';
}
