import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiModel, readApi, type Schema } from '../release/sdk/api-model.ts';
import { breakingChanges } from '../release/sdk/breaking-changes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RELEASED = join(ROOT, 'sdk', 'released-api.json');
/** Each SDK with the file that has its version, and how that is written there. */
const VERSIONS: readonly [file: string, version: RegExp][] = [
  ['sdk/package.json', /"version": "([^"]+)"/],
  ['sdk/python/pyproject.toml', /^version = "([^"]+)"/m],
];
const CHANGELOGS = ['sdk/CHANGELOG.md', 'sdk/python/CHANGELOG.md'];

/** What the SDKs offered when they were released last. */
interface Released {
  version: string;
  api: ApiModel;
}

/**
 * What forbids to release `api` as `version`: what would break programs that were written against the last release is
 * for the next major version, or for the next minor one before 1.0 (semver.org, 4 and 8).
 */
export function releaseProblems(released: Released, api: ApiModel, version: string): string[] {
  if (mayBreak(released.version, version)) return [];
  const broken = breakingChanges(released.api, api);
  return broken.map((change) => `${change}: breaks programs of ${released.version}; ${version} must not`);
}

function mayBreak(from: string, to: string): boolean {
  const [[major, minor], [nextMajor, nextMinor]] = [from, to].map((version) => version.split('.').map(Number)) as [
    [number, number],
    [number, number],
  ];
  return nextMajor > major || (major === 0 && nextMajor === 0 && nextMinor > minor);
}

/** Without words, which break nothing. */
export function withoutDescriptions(api: ApiModel): ApiModel {
  const wordless = (key: string, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value;
  const calls = api.calls.map((call) => ({ ...call, summary: '', description: '' }));
  const schemas = JSON.parse(JSON.stringify(api.schemas, wordless)) as Record<string, Schema>;
  return { calls: JSON.parse(JSON.stringify(calls, wordless)) as ApiModel['calls'], schemas };
}

function versionProblems(version: string): string[] {
  const others = VERSIONS.filter(([file, pattern]) => pattern.exec(read(file))?.[1] !== version);
  const untold = CHANGELOGS.filter((file) => !read(file).includes(`## ${version}\n`));
  return [
    ...others.map(([file]) => `${file}: has another version than ${VERSIONS[0]![0]}, ${version}`),
    ...untold.map((file) => `${file}: says nothing of ${version}`),
  ];
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Checks the SDKs against their last release; with `--release` their present state becomes that. */
function main(isRelease: boolean): 0 | 1 {
  const version = VERSIONS[0]![1].exec(read(VERSIONS[0]![0]))![1]!;
  const api = withoutDescriptions(readApi());
  if (isRelease) writeFileSync(RELEASED, `${JSON.stringify({ version, api } satisfies Released, null, 1)}\n`);
  const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as Released;
  const problems = [...versionProblems(version), ...releaseProblems(released, api, version)];
  process.stdout.write([...problems, `sdk-api: ${problems.length} problems`, ''].join('\n'));
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main(process.argv.includes('--release'));
