import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import { BEYOND_UNITS, faultOf, readJestResult, specFiles, type SpecResult, tierOf, totalOf } from './test-results.ts';

export interface Outcome {
  ok: boolean;
  /** What the step printed, unless it was shown as it came. */
  output: string;
  /** One line for the summary. */
  note: string;
  tests?: TestRun;
}

interface TestRun {
  specs: SpecResult[];
  /** Jest reported success. */
  exitedOk: boolean;
  /** Spec files of the workspace that left no result. */
  silent: string[];
  /** What went wrong beside the spec files; null when nothing did. */
  fault: string | null;
  /** Null unless the run took too long and was stopped. */
  stoppedAfterMinutes: number | null;
  /** The first results of files that failed, were run again alone, and passed. */
  unstable: SpecResult[];
}

export interface StepContext {
  signal: AbortSignal;
  /** Runs the units alone. */
  isQuick: boolean;
  /** Where the engines are that all specs share. */
  env: Record<string, string>;
}

export interface Step {
  name: string;
  /** Runs specs: after the cheap steps, with the engines started. */
  runsTests: boolean;
  run(context: StepContext): Promise<Outcome>;
}

/** A spec that hangs ends the run; this is far more than all of them take on two idle cores. */
const SPECS_TIMEOUT_MS = 120 * 60_000;
/** Every folder with spec files; `node_modules` is searched by none. */
const SPEC_ROOTS = ['apps', 'e2e', 'libs', 'sdk', 'tools'];
/** What specs start competes for the processors, too: more workers only make all of them wait. */
const WORKERS = availableParallelism();

/** Everything that `npm test` does, in this order. */
export const STEPS: Step[] = [
  command('format', 'oxfmt', '--check', '.', '!libs/contracts/src/gen/**'),
  command('lint', 'oxlint', '--deny-warnings'),
  command('types', 'tsc', '-p', 'tsconfig.json', '--noEmit'),
  command('console-types', 'tsc', '-p', 'apps/console/tsconfig.json', '--noEmit'),
  command('docs-types', 'tsc', '-p', 'apps/docs/tsconfig.json', '--noEmit'),
  command('console', 'node', 'apps/console/build/main.ts'),
  command('generated', 'node', 'tools/checks/generated.ts'),
  command('openapi', 'node', 'tools/checks/openapi.ts'),
  command('sdk-api', 'node', 'tools/checks/sdk-api.ts'),
  command('boundaries', 'node', 'tools/checks/boundaries.ts'),
  command('tidy', 'node', 'tools/checks/tidy.ts'),
  command('commits', 'node', 'tools/checks/commits.ts'),
  command('patterns', 'node', 'tools/checks/patterns.ts'),
  command('words', 'node', 'tools/checks/words.ts'),
  { name: 'specs', runsTests: true, run: runSpecs },
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

/**
 * One run of Jest for all projects: a worker loads a package once, and no worker is idle while another one still has
 * spec files before it.
 */
async function runSpecs({ signal, isQuick, env }: StepContext): Promise<Outcome> {
  const results = mkdtempSync(join(tmpdir(), 'cairn-test-results-'));
  const limit = AbortSignal.timeout(SPECS_TIMEOUT_MS);
  const wanted = specFiles().filter((file) => !isQuick || tierOf(file) === 'unit');
  const args = ['--config', 'jest.config.ts', '--rootDir', '.', '--roots', ...SPEC_ROOTS];
  args.push(`--maxWorkers=${WORKERS}`, '--forceExit');
  if (isQuick) args.push('--testPathIgnorePatterns', '/node_modules/', ...BEYOND_UNITS);
  try {
    const { ok } = await runCommand('jest', args, {
      signal: AbortSignal.any([signal, limit]),
      env: { ...env, CAIRN_TEST_RESULTS_DIR: results },
      live: true,
    });
    const result = readJestResult(results);
    const specs = result?.specs ?? [];
    const files = new Set(specs.map(({ file }) => file));
    return testOutcome({
      specs,
      exitedOk: ok,
      silent: wanted.filter((file) => !files.has(file)),
      fault: faultOf(result),
      stoppedAfterMinutes: limit.aborted ? SPECS_TIMEOUT_MS / 60_000 : null,
      unstable: [],
    });
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** Judges a step that ran specs. Jest reports unstable spec files as failed; they excuse that and nothing else. */
export function testOutcome(tests: TestRun): Outcome {
  const { specs, silent, fault, exitedOk, unstable, stoppedAfterMinutes } = tests;
  const complete = totalOf(specs, 'passed') > 0 && totalOf(specs, 'failed') === 0 && silent.length === 0;
  const ended = fault === null && stoppedAfterMinutes === null && (exitedOk || unstable.length > 0);
  return {
    ok: complete && ended,
    output: '',
    note: stoppedAfterMinutes === null ? noteOf(tests) : `stopped after ${stoppedAfterMinutes} minutes`,
    tests,
  };
}

function noteOf({ specs, silent, fault, exitedOk, unstable }: TestRun): string {
  const failed = totalOf(specs, 'failed');
  const skipped = totalOf(specs, 'skipped');
  if (totalOf(specs, 'passed') + failed === 0) return 'no test ran';
  const parts = [`${totalOf(specs, 'passed')} passed`, `${failed} failed`];
  if (unstable.length > 0) parts.push(`unstable spec files: ${unstable.length}`);
  if (skipped > 0) parts.push(`${skipped} skipped`);
  if (silent.length > 0) parts.push(`no result from ${silent.join(', ')}`);
  if (fault !== null) parts.push(`but ${fault}`);
  else if (!exitedOk && failed + silent.length + unstable.length === 0) parts.push('but the command failed');
  return parts.join(', ');
}
