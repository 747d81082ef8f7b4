import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './run-command.ts';
import type { SpecResult } from './test-results.ts';

/** Seconds of each spec file, by its path relative to the workspace. */
type SpecSeconds = Record<string, number>;

/** Of the runs in this checkout. */
const LOCAL_SECONDS = join(ROOT, '.nx', 'spec-seconds.json');
/** For a fresh clone; written by `npm test -- --record`. */
const COMMITTED_SECONDS = join(ROOT, 'tools', 'checks', 'run', 'spec-seconds.json');

/** Quicker files are ordered well enough by their size. */
const COMMITTED_MIN_SECONDS = 5;

/** Keeps how long each spec file took; ../jest/sequencer.cjs begins the next run with the slowest. */
export function storeSeconds(specs: readonly SpecResult[]): void {
  const measured = Object.fromEntries(specs.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10]));
  write(LOCAL_SECONDS, { ...read(LOCAL_SECONDS), ...measured });
}

/** Writes the file that is committed. It holds the slow files only, in whole seconds, so that it changes little. */
export function recordSeconds(specs: readonly SpecResult[]): void {
  const slow = specs
    .map(({ file, seconds }): [string, number] => [file, Math.round(seconds)])
    .filter(([, seconds]) => seconds >= COMMITTED_MIN_SECONDS);
  write(COMMITTED_SECONDS, Object.fromEntries(slow));
}

function read(path: string): SpecSeconds {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

function write(path: string, seconds: SpecSeconds): void {
  const sorted = Object.fromEntries(Object.entries(seconds).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(sorted, null, 2)}\n`);
}
