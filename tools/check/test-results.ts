import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../source-files.ts';
import { ROOT } from './run-command.ts';

const FOLDER = join(ROOT, '.nx', 'test-results');

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** How many of them Nx answered from its cache. */
  cached: number;
  /** Projects that have spec files and left no result. */
  silent: string[];
  specs: SpecTime[];
}

/** How long one spec file took. */
interface SpecTime {
  file: string;
  seconds: number;
}

interface ProjectResult {
  startedAt: number;
  passed: number;
  failed: number;
  skipped: number;
  specs: SpecTime[];
}

/** Takes away what an earlier run left; Nx brings back what it has in its cache. */
export function clearTestResults(): void {
  rmSync(FOLDER, { recursive: true, force: true });
}

/** Adds up what jest-summary-reporter.cjs left for each project with spec files. */
export function countTests(belongs: (folder: string) => boolean, startedAt: number): TestCounts {
  const counts: TestCounts = { passed: 0, failed: 0, skipped: 0, cached: 0, silent: [], specs: [] };
  for (const folder of foldersWithSpecs().filter(belongs)) {
    const result = readResult(folder);
    if (result === null) {
      counts.silent.push(folder);
      continue;
    }
    counts.passed += result.passed;
    counts.failed += result.failed;
    counts.skipped += result.skipped;
    counts.specs.push(...result.specs);
    if (result.startedAt < startedAt) counts.cached += result.passed + result.failed;
  }
  return counts;
}

function foldersWithSpecs(): string[] {
  const specs = listFiles(ROOT).map((path) => /^((?:apps|libs)\/[^/]+|e2e|tools)\/.*\.spec\.ts$/.exec(path)?.[1]);
  return [...new Set(specs.filter((folder) => folder !== undefined))];
}

function readResult(folder: string): ProjectResult | null {
  try {
    return JSON.parse(readFileSync(join(FOLDER, `${folder.replaceAll('/', '-')}.json`), 'utf8'));
  } catch {
    return null;
  }
}
