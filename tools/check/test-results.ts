import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../source-files.ts';
import { ROOT } from './run-command.ts';

/** Nx keeps what is in it in its cache. */
export const TEST_RESULTS_FOLDER = join(ROOT, '.nx', 'test-results');

/** What jest-summary-reporter.cjs leaves for one project. */
interface ProjectResult {
  startedAt: number;
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

export interface TestResults {
  specs: SpecResult[];
  /** How many of the tests Nx answered from its cache. */
  cached: number;
  /** Projects that have spec files and left no result. */
  silent: string[];
  /** Folders of projects that went wrong otherwise than by a spec file that failed, and how. */
  faults: Record<string, string>;
}

/** Takes away what an earlier run left; Nx brings back what it has in its cache. */
export function clearTestResults(): void {
  rmSync(TEST_RESULTS_FOLDER, { recursive: true, force: true });
}

/** The results of every project with spec files whose folder belongs to the step. */
export function readTestResults(belongs: (folder: string) => boolean, startedAt: number): TestResults {
  const results: TestResults = { specs: [], cached: 0, silent: [], faults: {} };
  for (const folder of foldersWithSpecs().filter(belongs)) {
    const project = readProjectResult(TEST_RESULTS_FOLDER, folder);
    if (project === null) {
      results.silent.push(folder);
      continue;
    }
    results.specs.push(...project.specs);
    const fault = faultOf(project);
    if (fault !== null) results.faults[folder] = fault;
    if (project.startedAt < startedAt)
      results.cached += totalOf(project.specs, 'passed') + totalOf(project.specs, 'failed');
  }
  return results;
}

/** What went wrong in a project beside its spec files; null when nothing did. */
export function faultOf({ notRun, ended }: Pick<ProjectResult, 'notRun' | 'ended'>): string | null {
  if (notRun > 0) return `${notRun} spec files were not run`;
  return ended ? null : 'Jest did not get to its end';
}

/** The folders of the projects that Nx says failed, as tools/nx-plugin.cjs wrote them; null when Nx did not get that far. */
export function readFailedProjects(resultsFolder: string): string[] | null {
  try {
    return JSON.parse(readFileSync(join(resultsFolder, 'failed-projects.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** Null when the project left no result. */
export function readProjectResult(resultsFolder: string, project: string): ProjectResult | null {
  try {
    return JSON.parse(readFileSync(join(resultsFolder, `${project.replaceAll('/', '-')}.json`), 'utf8'));
  } catch {
    return null;
  }
}

export function totalOf(specs: readonly SpecResult[], count: 'passed' | 'failed' | 'skipped'): number {
  return specs.reduce((total, spec) => total + spec[count], 0);
}

/** The folder of the project that a file belongs to, relative to the workspace; null outside of any. */
export function projectFolderOf(path: string): string | null {
  return /^((?:apps|libs)\/[^/]+|e2e|tools)\//.exec(path)?.[1] ?? null;
}

function foldersWithSpecs(): string[] {
  const specs = listFiles(ROOT).filter((path) => path.endsWith('.spec.ts'));
  return [...new Set(specs.map(projectFolderOf).filter((folder) => folder !== null))];
}
