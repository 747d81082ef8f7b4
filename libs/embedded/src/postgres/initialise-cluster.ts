import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { ClusterLocation } from './cluster-location.ts';
import type { Deadline } from '../process/deadline.ts';
import { EmbeddedStartError, errorText } from '../embedded-start-error.ts';
import { readFileIfThere, syncDirectory } from '../files/private-file.ts';

const run = promisify(execFile);
const MAJOR_VERSION = '17';
const DRAFT_PREFIX = 'initdb-';
const OUTPUT_MAX_BYTES = 1024 * 1024;
const OUTPUT_LINES = 20;
/**
 * The collation is PostgreSQL's own C.UTF-8, the same on every system. pg_trgm and the text search parser still ask the
 * C library which characters are letters, and under plain C they would drop every non-ASCII one.
 */
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8', 'C'];

export const SUPERUSER = 'postgres';

/** Makes the cluster if it is not there yet; a crash in the middle leaves a draft that the next call sweeps away. */
export async function initialiseCluster(
  binaries: string,
  location: ClusterLocation,
  password: string,
  deadline: Deadline,
): Promise<'made' | 'there'> {
  const version = await readFileIfThere(join(location.dataDirectory, 'PG_VERSION'));
  if (version !== null) {
    if (version.trim() === MAJOR_VERSION) return 'there';
    throw new EmbeddedStartError(
      'init_failed',
      `${location.dataDirectory} was made by PostgreSQL ${version.trim()}; this is PostgreSQL ${MAJOR_VERSION}.`,
      'Dump it with the old version and load the dump into a new data folder.',
    );
  }
  const parent = dirname(location.dataDirectory);
  await sweepDrafts(parent);
  const draft = join(parent, `${DRAFT_PREFIX}${randomBytes(6).toString('hex')}`);
  try {
    await makeDraft(draft, location, password);
    await runInitdb(binaries, draft, location, deadline);
    await rename(join(draft, 'data'), location.dataDirectory);
    await syncDirectory(parent);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return 'made';
}

async function makeDraft(draft: string, location: ClusterLocation, password: string): Promise<void> {
  const passwordFile = join(draft, 'password');
  await mkdir(draft, { mode: 0o700 });
  await chmod(draft, 0o700);
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (location.account === undefined) return;
  await chown(passwordFile, location.account.uid, location.account.gid);
  await chown(draft, location.account.uid, location.account.gid);
}

async function runInitdb(
  binaries: string,
  draft: string,
  location: ClusterLocation,
  deadline: Deadline,
): Promise<void> {
  let output = '';
  for (const characterType of CHARACTER_TYPES) {
    const failure = await initdb(binaries, draft, characterType, location, deadline);
    if (failure === null) return;
    output = failure;
    if (!output.includes('invalid locale name')) break;
  }
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  throw new EmbeddedStartError(
    'init_failed',
    `initdb could not make ${location.dataDirectory}:\n${lines.slice(-OUTPUT_LINES).join('\n')}`,
    'Check free space and permissions of that folder; nothing was left behind, so starting again is safe.',
  );
}

/** Null when it worked, else what it printed. */
async function initdb(
  binaries: string,
  draft: string,
  characterType: string,
  location: ClusterLocation,
  deadline: Deadline,
): Promise<string | null> {
  const args = `-U ${SUPERUSER} -E UTF8 -A scram-sha-256 --locale=C --lc-ctype=${characterType}`.split(' ');
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  args.push('-D', join(draft, 'data'), `--pwfile=${join(draft, 'password')}`);
  // One call instead of a thousand, which halves the time on a busy disk.
  if (process.platform === 'linux') args.push('--sync-method=syncfs');
  try {
    await run(join(binaries, 'bin', 'initdb'), args, {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      timeout: Math.max(1, Math.ceil(deadline.remainingMs())),
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_MAX_BYTES,
      ...location.account,
    });
    return null;
  } catch (error) {
    const printed = error as { stdout?: string; stderr?: string; killed?: boolean };
    if (printed.killed === true) return 'it did not finish in time';
    const output = `${printed.stdout ?? ''}\n${printed.stderr ?? ''}`;
    return output.trim() === '' ? errorText(error) : output;
  }
}

/**
 * Only called under the start lock: whatever draft is here, the start that made it is gone. Its initdb may still write
 * and so keep the draft from going; it harms nobody, and the next start sweeps again.
 */
async function sweepDrafts(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue;
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}
