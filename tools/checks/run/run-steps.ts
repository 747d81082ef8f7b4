import { availableParallelism } from 'node:os';
import { runFailedAgain, runSpecFile, UNSTABLE_MAX } from './second-run.ts';
import { type Outcome, type Step, type StepContext, testOutcome } from './steps.ts';

export interface Report {
  step: Step;
  /** Null for a step that was not run, because one before it failed. */
  outcome: Outcome | null;
  seconds: number;
}

/** Runs the cheap steps beside each other, then the specs, then those that failed a second time, one at a time. */
export async function runSteps(
  steps: Step[],
  { keepGoing, isQuick, signal }: { keepGoing: boolean; isQuick: boolean; signal: AbortSignal },
): Promise<Report[]> {
  const cheap = steps.filter(({ runsTests }) => !runsTests);
  const slow = steps.filter(({ runsTests }) => runsTests);
  const reports = await runBeside(cheap, { signal, isQuick, env: {} });
  const failed = reports.some(({ outcome }) => outcome?.ok === false);
  if (slow.length === 0 || signal.aborted || (failed && !keepGoing)) return [...reports, ...slow.map(notRun)];
  const engines = await startEngines();
  try {
    heading(slow.map(({ name }) => name).join(' and '));
    const context = { signal, isQuick, env: engines.env };
    const first = await timed(() => Promise.all(slow.map((step) => runOne(step, context))));
    return [...reports, ...(await withSecondRun(first, context))];
  } finally {
    await engines.stop();
  }
}

/** Nothing runs beside a spec file that is run again. */
async function withSecondRun(reports: Report[], { signal, env }: StepContext): Promise<Report[]> {
  const runs = reports.flatMap(({ outcome }) => outcome?.tests ?? []);
  const broken = runs.some(({ fault, stoppedAfterMinutes }) => fault !== null || stoppedAfterMinutes !== null);
  const specs = runs.flatMap((run) => run.specs);
  const second = await runFailedAgain(specs, broken || signal.aborted ? 0 : UNSTABLE_MAX, (file) => {
    heading(`again, alone: ${file}`);
    return runSpecFile(file, { signal, env, live: true });
  });
  return reports.map((report) => {
    const tests = report.outcome?.tests;
    if (tests === undefined) return report;
    const own = new Set(tests.specs.map(({ file }) => file));
    const isOwn = ({ file }: { file: string }) => own.has(file);
    const outcome = testOutcome({
      ...tests,
      specs: second.specs.filter(isOwn),
      unstable: second.unstable.filter(isOwn),
    });
    return { ...report, outcome };
  });
}

async function runBeside(steps: Step[], context: StepContext): Promise<Report[]> {
  const waiting = [...steps];
  const reports: Report[] = [];
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const report = await runOne(step, context);
      reports.push(report);
      heading(`${step.name}: ${statusOf(report)}, ${report.seconds.toFixed(1)} s`);
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

/** Says what the specs cost, and whether the cores were waiting for them: that is the first question to a slow run. */
async function timed<T>(work: () => Promise<T>): Promise<T> {
  const { processorTime } = await import('@cairn/testing');
  const before = await processorTime([process.pid]);
  const result = await work();
  const after = await processorTime([process.pid]);
  const minutes = (after.own - before.own) / 60_000;
  const busy = (after.busy - before.busy) / Math.max(1, after.total - before.total);
  heading(`processor time of the specs: ${minutes.toFixed(1)} min; the cores were ${(busy * 100).toFixed(0)} % busy`);
  return result;
}

function heading(text: string): void {
  process.stdout.write(`\n== ${text}\n`);
}

export function statusOf({ outcome }: Report): string {
  if (outcome === null) return 'not run';
  return outcome.ok ? 'ok' : 'FAILED';
}
