import { execFileSync } from 'node:child_process';
import { COMMAND_LINE } from './bundle-service.ts';
import { docker, dockerOutput, imageName, ROOT, versionOf } from './docker.ts';

/** The gateway's, which carries the console and the documentation, is the largest. */
const IMAGE_MAX_BYTES = 190_000_000;

/**
 * Builds images with Docker and prints their sizes. CAIRN_BUILD_IMAGE and CAIRN_BASE_IMAGE name others than the public
 * ones to build on.
 */
export function buildImages(names: readonly string[]): void {
  for (const name of names) buildImage(name);
  const rows = names.map((name) => ({
    name,
    bytes: sizeOf(imageName(name)),
    own: ownBytes(imageName(name)),
  }));
  for (const { name, bytes, own } of rows)
    say(`${imageName(name).padEnd(28)} ${megabytes(bytes)} MB, of which ${megabytes(own)} MB are its own`);
  const shared = Math.max(...rows.map(({ bytes, own }) => bytes - own));
  const all = rows.reduce((sum, { own }) => sum + own, shared);
  say(`${rows.length} images, ${megabytes(all)} MB together: ${megabytes(shared)} MB are shared by all.`);
  const large = rows.filter(({ bytes }) => bytes > IMAGE_MAX_BYTES);
  if (large.length > 0)
    throw new Error(`larger than ${megabytes(IMAGE_MAX_BYTES)} MB: ${large.map(({ name }) => name).join(', ')}`);
}

function buildImage(name: string): void {
  const bases = [
    ['BUILD', process.env['CAIRN_BUILD_IMAGE']],
    ['BASE', process.env['CAIRN_BASE_IMAGE']],
  ].flatMap(([argument, image]) => (image === undefined ? [] : ['--build-arg', `${argument}=${image}`]));
  docker([
    'build',
    '--file=deploy/Containerfile',
    `--target=${name === COMMAND_LINE ? 'operator' : 'service'}`,
    `--build-arg=SERVICE=${name}`,
    `--build-arg=VERSION=${versionOf()}`,
    `--build-arg=REVISION=${revision()}`,
    ...bases,
    `--tag=${imageName(name)}`,
    '.',
  ]);
}

function revision(): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
}

function sizeOf(image: string): number {
  return Number(dockerOutput(['image', 'inspect', '--format={{.Size}}', image]));
}

/** The layers that were made for this image alone: its bundle and folders of its own. */
function ownBytes(image: string): number {
  const lines = dockerOutput(['history', '--no-trunc', '--human=false', '--format={{.Size}} {{.CreatedBy}}', image]);
  const sizes = lines.split('\n').flatMap((line) => (/ \/out\//.test(line) ? [Number.parseInt(line, 10)] : []));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1).padStart(6);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
