import { execFile } from 'node:child_process';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DOWNLOAD_TIMEOUT_MS = 60_000;
const UPDATE_TIMEOUT_MS = 120_000;
const UNPACK_TIMEOUT_MS = 30_000;
const OUTPUT_MAX_BYTES = 4 * 1024 * 1024;

/**
 * Debian and Ubuntu: downloads the distribution's package, whose signature apt checks, and unpacks it without
 * installing, which needs no root. Returns the program's path below `folder`.
 */
export async function downloadNatsPackage(folder: string): Promise<string> {
  if (process.platform !== 'linux') throw new Error('distribution package: only on Debian and Ubuntu');
  try {
    await aptGet(folder, ['download', 'nats-server'], DOWNLOAD_TIMEOUT_MS);
  } catch (error) {
    if (isMissingProgram(error)) throw new Error('distribution package: there is no apt-get here', { cause: error });
    await downloadWithPrivateLists(folder);
  }
  const file = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (file === undefined) throw new Error('distribution package: apt-get downloaded nothing');
  const unpacked = join(folder, 'unpacked');
  await run('dpkg', ['-x', join(folder, file), unpacked], { timeout: UNPACK_TIMEOUT_MS });
  for (const place of ['usr/sbin/nats-server', 'usr/bin/nats-server']) {
    const path = join(unpacked, place);
    if (await stat(path).catch(() => null)) return path;
  }
  throw new Error(`distribution package: ${file} holds no nats-server`);
}

/** Fresh images carry no package lists; apt can fetch them into a folder of ours, again without root. */
async function downloadWithPrivateLists(folder: string): Promise<void> {
  for (const name of ['lists/partial', 'cache/archives/partial']) await mkdir(join(folder, name), { recursive: true });
  const options = ['-o', `Dir::State::lists=${join(folder, 'lists')}`, '-o', `Dir::Cache=${join(folder, 'cache')}`];
  try {
    await aptGet(folder, [...options, 'update'], UPDATE_TIMEOUT_MS);
    await aptGet(folder, [...options, 'download', 'nats-server'], DOWNLOAD_TIMEOUT_MS);
  } catch (error) {
    const printed = (error as { stderr?: string }).stderr?.trim() ?? '';
    throw new Error(`distribution package: ${printed === '' ? String(error) : printed}`, { cause: error });
  }
}

async function aptGet(folder: string, args: string[], timeoutMs: number): Promise<void> {
  // As root apt would download as a user of its own, who may not be able to reach the folder.
  const account = process.geteuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : [];
  await run('apt-get', ['-q', ...account, ...args], {
    cwd: folder,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: OUTPUT_MAX_BYTES,
  });
}

function isMissingProgram(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ENOENT';
}
