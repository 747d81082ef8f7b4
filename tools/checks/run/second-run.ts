import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type CommandOptions, ROOT, runCommand } from './run-command.ts';
import { readJestResult, type SpecResult } from './test-results.ts';

/** Most spec files of one `npm test` that may fail at first. More of them are a fault of the code or the machine. */
export const UNSTABLE_MAX = 5;

interface SecondRun {
  /** Every spec file, with the result that counts. */
  specs: SpecResult[];
  /** The first results of files that failed and then passed alone. */
  unstable: SpecResult[];
}

/**
 * Runs each spec file that failed a second time, alone. One that passes then is unstable: its second result counts. If
 * more than `unstableMax` files failed, none is run again and the results stay as they are.
 */
export async function runFailedAgain(
  specs: readonly SpecResult[],
  unstableMax: number,
  runAlone: (file: string) => Promise<SpecResult | null>,
): Promise<SecondRun> {
  const failed = specs.filter((spec) => spec.failed > 0);
  if (failed.length > unstableMax) return { specs: [...specs], unstable: [] };
  const counting = new Map(specs.map((spec) => [spec.file, spec]));
  const unstable: SpecResult[] = [];
  for (const first of failed) {
    const second = await runAlone(first.file);
    // A second run without a result, without a test, or with fewer tests than the first proves nothing.
    if (second === null || second.failed > 0 || second.passed === 0 || testsOf(second) < testsOf(first)) continue;
    counting.set(first.file, second);
    unstable.push(first);
  }
  return { specs: [...counting.values()], unstable };
}

function testsOf({ passed, failed, skipped }: SpecResult): number {
  return passed + failed + skipped;
}

/** A spec file that hangs ends with this; the slowest one takes a fraction of it. */
const SPEC_FILE_TIMEOUT_MS = 10 * 60_000;

/** Runs one spec file with nothing beside it; null when it left no result, took too long, or Jest failed nevertheless. */
export async function runSpecFile(
  file: string,
  { env, signal, ...options }: CommandOptions,
  timeoutMs: number = SPEC_FILE_TIMEOUT_MS,
): Promise<SpecResult | null> {
  const results = mkdtempSync(join(tmpdir(), 'cairn-second-run-'));
  const path = resolve(ROOT, file);
  try {
    const args = ['--config', 'jest.config.ts', '--rootDir', dirname(path), '--runInBand', '--forceExit'];
    args.push('--runTestsByPath', path);
    const { ok } = await runCommand('jest', args, {
      ...options,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      env: { ...env, CAIRN_TEST_RESULTS_DIR: results },
    });
    const spec = readJestResult(results)?.specs[0] ?? null;
    return spec !== null && !ok && spec.failed === 0 ? null : spec;
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}
