import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSdks } from '../release/sdk/write-sdks.ts';
import { COMMAND_LINE_GENERATED, PYTHON_GENERATED, SDK_GENERATED } from '../release/sdk/generated-folders.ts';
import { GENERATED } from './source-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN_BRANCHES = ['refs/heads/main', 'refs/remotes/origin/main'];

type Problem = string;

/** Runs buf and returns what it complained about, or null. */
function buf(...args: string[]): Problem | null {
  try {
    execFileSync('buf', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return null;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return `buf ${args[0]}:\n${`${stdout}${stderr}`.trim() || message}`;
  }
}

function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/** Generates once more, beside the committed code and compares file by file. */
function staleFiles(folder: string): Problem[] {
  const failure = buf('generate', '--output', folder);
  if (failure !== null) return [failure];
  writeSdks(folder);
  return [
    ...differences(folder, GENERATED, 'proto/', 'npm run generate'),
    ...[SDK_GENERATED, PYTHON_GENERATED, COMMAND_LINE_GENERATED].flatMap((generated) =>
      differences(folder, generated, 'the operations', 'npm run generate:sdks'),
    ),
  ];
}

function differences(folder: string, generated: string, source: string, remedy: string): Problem[] {
  const [fresh, committed] = [join(folder, generated), join(ROOT, generated)].map(readTree);
  const reason = (path: string) => {
    if (!committed!.has(path)) return 'missing';
    return fresh!.has(path) ? `not what ${source} generates` : `generated from nothing in ${source}`;
  };
  return [...new Set([...fresh!.keys(), ...committed!.keys()])]
    .filter((path) => fresh!.get(path) !== committed!.get(path))
    .map((path) => `${generated}${path}:1: ${reason(path)}; run ${remedy}`);
}

function readTree(folder: string): Map<string, string> {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]));
}

/** The commit that proto/ is compared with: the main branch; on the main branch itself, the commit before. */
function findBaseline(): { commit: string } | { missing: string } {
  const head = git('rev-parse', '--verify', 'HEAD');
  if (head === null) return { missing: 'there is no commit yet' };
  const main = MAIN_BRANCHES.map((branch) => git('rev-parse', '--verify', branch)).find((commit) => commit !== null);
  if (main === undefined) return { missing: 'there is no main branch here' };
  const commit = main === head ? git('rev-parse', '--verify', 'HEAD^') : main;
  if (commit === null) return { missing: 'there is no earlier commit here' };
  const hasProto = git('cat-file', '-e', `${commit}:buf.yaml`) !== null;
  return hasProto ? { commit } : { missing: `${commit} has no buf.yaml` };
}

function breakingChanges(commit: string, folder: string): Problem[] {
  const archive = join(folder, 'baseline.tar');
  git('archive', '--output', archive, commit, 'buf.yaml', 'proto');
  const problem = buf('breaking', '--against', archive);
  return problem === null ? [] : [problem];
}

/** Proves that the committed generated code is what proto/ and the operations generate, and that proto/ breaks no older client. */
function main(): 0 | 1 {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-generated-'));
  try {
    const lint = buf('lint');
    const baseline = findBaseline();
    // What does not compile would be told three times.
    const problems = lint === null ? staleFiles(folder) : [lint];
    if (lint === null && 'commit' in baseline) problems.push(...breakingChanges(baseline.commit, folder));
    const note = 'commit' in baseline ? '' : `; breaking changes not checked: ${baseline.missing}`;
    process.stdout.write([...problems, `generated: ${problems.length} problems${note}`, ''].join('\n'));
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.exitCode = main();
