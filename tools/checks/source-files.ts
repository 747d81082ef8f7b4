import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_LINE_GENERATED, SDK_GENERATED } from '../release/sdk/generated-folders.ts';
import type { Violation } from './violation.ts';

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  text: string;
}

/** What buf makes of proto/. */
export const GENERATED = 'libs/contracts/src/gen/';

export function isGenerated(path: string): boolean {
  return [GENERATED, SDK_GENERATED, COMMAND_LINE_GENERATED].some((folder) => path.startsWith(folder));
}

/** Every file that is committed or could be: untracked ones count; ignored ones, and deleted ones, do not. */
export function listFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  return [...new Set(listed.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path)));
}

/** Those files that are text. */
export function readSourceFiles(root: string): SourceFile[] {
  return listFiles(root)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));
}

/** One violation for each line that the pattern matches. */
export function violationsOf(file: SourceFile, pattern: RegExp, message: string): Violation[] {
  return file.text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [{ file: file.path, line: index + 1, message }] : []));
}

export function lineOf(text: string, position: number): number {
  return position <= 0 ? 1 : text.slice(0, position).split('\n').length;
}

/** Every file and every folder that has one. */
export function placesOf(paths: readonly string[]): Set<string> {
  const places = new Set(paths);
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) places.add(path.slice(0, end));
  }
  return places;
}
