import { availableParallelism } from 'node:os';
import { runCommand } from './run-command.ts';
import { runFailedAgain, runSpecFile } from './second-run.ts';
import { projectFolderOf, readTestResults, type SpecResult, type TestResults, totalOf } from './test-results.ts';

export interface Outcome {
  ok: boolean;
  /** What the step printed, unless it was shown as it came. */
  output: string;
  /** One line for the summary. */
  note: string;
  tests?: TestOutcome;
}

interface TestOutcome {
  /** Every spec file with the result that counts. */
  specs: SpecResult[];
  /** The first results of files that failed, were run again alone, and passed. */
  unstable: SpecResult[];
}

export interface StepContext {
  signal: AbortSignal;
  /** How many spec files may still turn out to be unstable. */
  unstableMax: number;
  /** Where the engines are that all specs share. */
  env: Record<string, string>;
}

export interface Step {
  name: string;
  /** Runs specs: alone, after the cheap steps, with the engines started. */
  runsTests: boolean;
  run(context: StepContext): Promise<Outcome>;
}

const E2E = '@cairn/e2e';
/** A spec that hangs ends the run; unit and integration specs, and those end to end, take twelve minutes each on two idle cores. */
const SPECS_TIMEOUT_MS = 24 * 60_000;
/** One more than there are cores: many specs wait for a time to come. */
const PROJECTS_AT_ONCE = availableParallelism() + 1;

/** Everything that `npm test` does, in this order. */
export const STEPS: Step[] = [
  command('format', 'oxfmt', '--check', '.', '!libs/contracts/src/gen/**'),
  command('lint', 'oxlint', '--deny-warnings'),
  command('types', 'tsc', '-p', 'tsconfig.json', '--noEmit'),
  command('generated', 'node', 'tools/generated.ts'),
  command('boundaries', 'node', 'tools/boundaries.ts'),
  command('tidy', 'node', 'tools/tidy.ts'),
  command('patterns', 'node', 'tools/patterns.ts'),
  specs('test', (folder) => folder !== 'e2e', '--all', `--exclude=${E2E}`),
  specs('e2e', (folder) => folder === 'e2e', `--projects=${E2E}`),
];

function command(name: string, program: string, ...args: string[]): Step {
  return {
    name,
    runsTests: false,
    async run({ signal }) {
      const { ok, output } = await runCommand(program, args, { signal });
      return { ok, output, note: ok ? (output.trimEnd().split('\n').at(-1) ?? '') : '' };
    },
  };
}

function specs(name: string, belongs: (folder: string) => boolean, ...selection: string[]): Step {
  const args = ['run-many', '-t', 'test', `--parallel=${PROJECTS_AT_ONCE}`, '--outputStyle=stream', ...selection];
  return {
    name,
    runsTests: true,
    async run({ signal, env, unstableMax }) {
      const startedAt = Date.now();
      const limit = AbortSignal.timeout(SPECS_TIMEOUT_MS);
      const context = { signal: AbortSignal.any([signal, limit]), env };
      const { ok } = await runCommand('nx', args, { ...context, live: true });
      const results = readTestResults(belongs, startedAt);
      const { specs, unstable } = await runFailedAgain(
        results.specs,
        context.signal.aborted ? 0 : unstableMax,
        (file) => runAlone(file, context),
      );
      const complete = totalOf(specs, 'passed') > 0 && totalOf(specs, 'failed') === 0 && results.silent.length === 0;
      const note = limit.aborted
        ? `stopped after ${SPECS_TIMEOUT_MS / 60_000} minutes`
        : noteOf({ ...results, specs }, unstable);
      // Nx reports the unstable ones as failed.
      return { ok: (ok || unstable.length > 0) && complete, output: '', note, tests: { specs, unstable } };
    },
  };
}

function runAlone(file: string, context: Pick<StepContext, 'signal' | 'env'>): Promise<SpecResult | null> {
  process.stdout.write(`\n== again, alone: ${file}\n`);
  return runSpecFile(file, projectFolderOf(file)!, { ...context, live: true });
}

function noteOf({ specs, cached, silent }: TestResults, unstable: readonly SpecResult[]): string {
  const failed = totalOf(specs, 'failed');
  const skipped = totalOf(specs, 'skipped');
  if (totalOf(specs, 'passed') + failed === 0) return 'no test ran';
  const parts = [`${totalOf(specs, 'passed')} passed`, `${failed} failed`];
  if (unstable.length > 0) parts.push(`${unstable.length} spec files unstable`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (cached > 0) parts.push(`${cached} of them cached`);
  if (silent.length > 0) parts.push(`no result from ${silent.join(', ')}`);
  return parts.join(', ');
}
