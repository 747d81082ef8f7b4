import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_LINE } from './bundle-service.ts';

export const ROOT: string = join(import.meta.dirname, '..', '..', '..');
const OUTPUT_MAX_BYTES = 256 * 1_048_576;

/** The project's version, which is the tag of its images. */
export function versionOf(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}

/** CAIRN_IMAGE_PREFIX is the prefix of the names, for an operator's own registry. */
export function imageName(name: string): string {
  const prefix = process.env['CAIRN_IMAGE_PREFIX'] ?? 'cairn/';
  return `${prefix}${name === COMMAND_LINE ? 'cairn' : name}:${versionOf()}`;
}

export function isBuilt(image: string): boolean {
  return spawnSync(program(), ['image', 'inspect', image], { cwd: ROOT, stdio: 'ignore' }).status === 0;
}

/** Runs the container program with its output shown; throws when it fails. */
export function docker(args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, error } = spawnSync(program(), args, { cwd: ROOT, stdio: 'inherit', env });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`docker ${args[0]} exited with ${status}`);
}

/** Runs the container program and returns its output. */
export function dockerOutput(args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return execFileSync(program(), args, {
    cwd: ROOT,
    encoding: 'utf8',
    env,
    stdio: [...stdio],
    maxBuffer: OUTPUT_MAX_BYTES,
  });
}

/** CAIRN_DOCKER names another program than `docker`. */
export function program(): string {
  return process.env['CAIRN_DOCKER'] ?? 'docker';
}
