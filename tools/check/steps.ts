import { availableParallelism } from 'node:os';
import { runCommand } from './run-command.ts';
import {
  projectFolderOf,
  readFailedProjects,
  readTestResults,
  type SpecResult,
  TEST_RESULTS_FOLDER,
  type TestResults,
  totalOf,
} from './test-results.ts';

export interface Outcome {
  ok: boolean;
  /** What the step printed, unless it was shown as it came. */
  output: string;
  /** One line for the summary. */
  note: string;
  tests?: TestRun;
}

interface TestRun extends TestResults {
  /** Nx or Jest reported success. */
  exitedOk: boolean;
  /** Folders of the projects that failed, whatever their spec files say; null when that is not known. */
  failedProjects: string[] | null;
  /** Null unless the run took too long and was stopped. */
  stoppedAfterMinutes: number | null;
  /** The first results of files that failed, were run again alone, and passed. */
  unstable: SpecResult[];
}

export interface StepContext {
  signal: AbortSignal;
  /** How many steps run specs at the same time. */
  specStepsAtOnce: number;
  /** Where the engines are that all specs share. */
  env: Record<string, string>;
}

export interface Step {
  name: string;
  /** Runs specs: after the cheap steps, with the engines started. */
  runsTests: boolean;
  run(context: StepContext): Promise<Outcome>;
}

const E2E = '@cairn/e2e';
/** A spec that hangs ends the run; this is far more than all of them take on two idle cores. */
const SPECS_TIMEOUT_MS = 60 * 60_000;

/** Everything that `npm test` does, in this order. */
export const STEPS: Step[] = [
  command('format', 'oxfmt', '--check', '.', '!libs/contracts/src/gen/**'),
  command('lint', 'oxlint', '--deny-warnings'),
  command('types', 'tsc', '-p', 'tsconfig.json', '--noEmit'),
  command('console-types', 'tsc', '-p', 'apps/console/tsconfig.json', '--noEmit'),
  command('docs-types', 'tsc', '-p', 'apps/docs/tsconfig.json', '--noEmit'),
  command('console', 'node', 'apps/console/build/main.ts'),
  command('generated', 'node', 'tools/generated.ts'),
  command('openapi', 'node', 'tools/openapi.ts'),
  command('sdk-api', 'node', 'tools/sdk-api.ts'),
  command('boundaries', 'node', 'tools/boundaries.ts'),
  command('tidy', 'node', 'tools/tidy.ts'),
  command('patterns', 'node', 'tools/patterns.ts'),
  specs(
    'test',
    (folder) => folder !== 'e2e',
    'nx',
    () => readFailedProjects(TEST_RESULTS_FOLDER),
    ({ specStepsAtOnce }) => [
      'run-many',
      '--targets=test',
      '--all',
      `--exclude=${E2E}`,
      '--outputStyle=stream',
      // As many as there are cores, with the end-to-end specs, which have two workers: more only wait for a processor.
      `--parallel=${Math.max(1, availableParallelism() + 1 - specStepsAtOnce)}`,
    ],
  ),
  // Without Nx, which would plan the other projects at the same time; nothing of them is cached.
  specs(
    'e2e',
    (folder) => folder === 'e2e',
    'jest',
    (ok) => (ok ? [] : ['e2e']),
    () => ['--config', 'jest.config.ts', '--rootDir', 'e2e', '--forceExit'],
  ),
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

function specs(
  name: string,
  belongs: (folder: string) => boolean,
  program: string,
  failedProjects: (ok: boolean) => string[] | null,
  argsOf: (context: StepContext) => string[],
): Step {
  return {
    name,
    runsTests: true,
    async run(context) {
      const startedAt = Date.now();
      const limit = AbortSignal.timeout(SPECS_TIMEOUT_MS);
      const { ok } = await runCommand(program, argsOf(context), {
        signal: AbortSignal.any([context.signal, limit]),
        env: { ...context.env, CAIRN_TEST_RESULTS_DIR: TEST_RESULTS_FOLDER },
        live: true,
      });
      return testOutcome({
        ...readTestResults(belongs, startedAt),
        exitedOk: ok,
        failedProjects: failedProjects(ok),
        stoppedAfterMinutes: limit.aborted ? SPECS_TIMEOUT_MS / 60_000 : null,
        unstable: [],
      });
    },
  };
}

/** Judges a step that ran specs. */
export function testOutcome(tests: TestRun): Outcome {
  const { specs, silent, exitedOk, stoppedAfterMinutes } = tests;
  const complete = totalOf(specs, 'passed') > 0 && totalOf(specs, 'failed') === 0 && silent.length === 0;
  return {
    ok: complete && (exitedOk || onlyUnstableFailed(tests)) && stoppedAfterMinutes === null,
    output: '',
    note: stoppedAfterMinutes === null ? noteOf(tests) : `stopped after ${stoppedAfterMinutes} minutes`,
    tests,
  };
}

/**
 * Nx and Jest report unstable spec files as failed. They excuse only that: a project that failed without one, or in which
 * something else went wrong as well, has failed.
 */
function onlyUnstableFailed(tests: TestRun): boolean {
  const { failedProjects } = tests;
  if (failedProjects === null || failedProjects.length === 0) return false;
  return unexplainedProjects(failedProjects, tests).length === 0;
}

function unexplainedProjects(failedProjects: readonly string[], { unstable, faults }: TestRun): string[] {
  const excused = new Set(unstable.map(({ file }) => projectFolderOf(file)));
  return failedProjects
    .filter((folder) => !excused.has(folder) || faults[folder] !== undefined)
    .map((folder) => (faults[folder] === undefined ? folder : `${folder} (${faults[folder]})`));
}

function noteOf(tests: TestRun): string {
  const { specs, cached, silent, exitedOk, unstable, failedProjects } = tests;
  const failed = totalOf(specs, 'failed');
  const skipped = totalOf(specs, 'skipped');
  if (totalOf(specs, 'passed') + failed === 0) return 'no test ran';
  const parts = [`${totalOf(specs, 'passed')} passed`, `${failed} failed`];
  if (unstable.length > 0) parts.push(`unstable spec files: ${unstable.length}`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (cached > 0) parts.push(`${cached} of them cached`);
  if (silent.length > 0) parts.push(`no result from ${silent.join(', ')}`);
  if (!exitedOk && failed + silent.length === 0 && !onlyUnstableFailed(tests)) {
    const unexplained = unexplainedProjects(failedProjects ?? [], tests);
    parts.push(`but the command failed${unexplained.length === 0 ? '' : ` in ${unexplained.join(', ')}`}`);
  }
  return parts.join(', ');
}
