import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assertChecksum, download } from './download.ts';

const run = promisify(execFile);
const UNPACK_TIMEOUT_MS = 30_000;
export const PINNED_VERSION = '2.14.6';
export const RELEASES_URL = 'https://github.com/nats-io/nats-server/releases/download';
/** From the release's SHA256SUMS; the Linux ones are also those in the official Docker image of that version. */
const CHECKSUMS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'linux-x64': '61c3d55f69f61ec616b75782250936445f2819e9e5f2ae6159b10a31abd2200c',
    'linux-arm64': '3ff6e463762db64186a36cf0276dae8320509e995151ad0153ba9c9f67eee3f9',
    'darwin-x64': '239d4f3314334cc86cb12d7c252cf9b3461364451cc8ec5a39fb4915acd717c1',
    'darwin-arm64': '291b9aa8c342b3cdcc53d872585bd467de4b5c9acf375066d882eb5412a09d55',
  }),
);

/** Downloads the pinned official release and unpacks it only if its checksum is the pinned one. */
export async function downloadNatsRelease(folder: string, source: string): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const checksum = CHECKSUMS.get(platform);
  if (checksum === undefined) throw new Error(`official release: no pinned checksum for ${platform}`);
  const name = `nats-server-v${PINNED_VERSION}-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const archive = await download(`${source}/v${PINNED_VERSION}/${name}.tar.gz`, 'official release');
  assertChecksum(archive, checksum, `official release: ${name}.tar.gz`);
  const file = join(folder, `${name}.tar.gz`);
  await writeFile(file, archive);
  await run('tar', ['-xzf', file, '-C', folder, `${name}/nats-server`], { timeout: UNPACK_TIMEOUT_MS });
  return join(folder, name, 'nats-server');
}
