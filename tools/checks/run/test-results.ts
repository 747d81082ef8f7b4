import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../source-files.ts';
import { ROOT } from './run-command.ts';

/** What ../jest/summary-reporter.cjs leaves of a run of Jest. */
interface JestResult {
  specs: SpecResult[];
  /** Spec files that Jest found and did not run. */
  notRun: number;
  /** Jest got to its end, whatever its spec files said. */
  ended: boolean;
}

/** The result of one spec file. */
export interface SpecResult {
  /** Relative to the workspace. */
  file: string;
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
  failures: TestFailure[];
}

interface TestFailure {
  test: string;
  /** With the stack, as Jest shows it. */
  message: string;
}

/** Where a spec lies says what it may use (CONTRIBUTING, Where specs go), and so what it costs. */
type Tier = 'unit' | 'integration' | 'end-to-end';

export function tierOf(file: string): Tier {
  if (file.startsWith('e2e/')) return 'end-to-end';
  return BEYOND_UNITS.some((part) => file.includes(part)) ? 'integration' : 'unit';
}

/** Parts of the paths of specs that are no units. Those of servers that are started lie beside their sources. */
export const BEYOND_UNITS = ['e2e/', '/tests/', 'libs/embedded/'];

/** Null when the run left no result. */
export function readJestResult(resultsFolder: string): JestResult | null {
  try {
    return JSON.parse(readFileSync(join(resultsFolder, 'results.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** What went wrong beside the spec files; null when nothing did. */
export function faultOf(result: Pick<JestResult, 'notRun' | 'ended'> | null): string | null {
  if (result === null) return 'Jest left no result';
  if (result.notRun > 0) return `${result.notRun} spec files were not run`;
  return result.ended ? null : 'Jest did not get to its end';
}

export function totalOf(specs: readonly SpecResult[], count: 'passed' | 'failed' | 'skipped'): number {
  return specs.reduce((total, spec) => total + spec[count], 0);
}

/** Every spec file of the workspace, relative to it. */
export function specFiles(): string[] {
  return listFiles(ROOT).filter((path) => path.endsWith('.spec.ts'));
}
