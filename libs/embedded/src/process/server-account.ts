import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LOOKUP_TIMEOUT_MS = 5_000;
/** What `nobody` is on every Linux, for images that have no user database. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** The system user a server runs as when we are root. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

export function runningAsRoot(): boolean {
  return process.geteuid?.() === 0;
}

/** The account for PostgreSQL, which refuses to run as root: `postgres` where the system has it, else `nobody`. */
export async function postgresAccount(): Promise<ServerAccount> {
  return (await accountOf('postgres')) ?? (await accountOf('nobody')) ?? NOBODY;
}

async function accountOf(name: string): Promise<ServerAccount | null> {
  try {
    const uid = Number((await run('id', ['-u', name], { timeout: LOOKUP_TIMEOUT_MS })).stdout);
    const gid = Number((await run('id', ['-g', name], { timeout: LOOKUP_TIMEOUT_MS })).stdout);
    // macOS prints nobody as -2, which is the same number as an unsigned one.
    return uid === 0 ? null : { uid: uid >>> 0, gid: gid >>> 0 };
  } catch {
    return null;
  }
}

/**
 * Whether the account can get into a folder. The kernel is asked by trying it as that account, so that access lists,
 * groups and every parent count.
 */
export async function canReach(account: ServerAccount, folder: string): Promise<boolean> {
  const attempt = spawn('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    cwd: '/',
    stdio: 'ignore',
    timeout: LOOKUP_TIMEOUT_MS,
    ...account,
  });
  try {
    const [code] = (await once(attempt, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}
