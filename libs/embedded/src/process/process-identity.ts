import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, readdirSync } from 'node:fs';
import { readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LOOKUP_TIMEOUT_MS = 2_000;
const ON_LINUX = process.platform === 'linux';

let bootId: string | undefined;

/**
 * Names one process for ever: its start time rules out a later process with the same pid, the boot id from one
 * after a reboot. Null when no such process runs; a zombie has ended, only its parent has not noticed.
 */
export async function processIdentity(pid: number): Promise<string | null> {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (ON_LINUX) return linuxIdentity(pid);
  try {
    const line = await ask('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    if (line === '' || line.startsWith('Z')) return null;
    return line.replace(/^\S+\s+/, '');
  } catch {
    return null;
  }
}

function linuxIdentity(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The command name stands in parentheses and may itself hold spaces and parentheses; the fields count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  if (state === 'Z' || state === 'X') return null;
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${bootId}:${fields[19]}`;
}

/** With a fixed locale and time zone, so that two callers get the same text for the same process. */
async function ask(program: string, args: string[]): Promise<string> {
  const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' };
  return (await run(program, args, { timeout: LOOKUP_TIMEOUT_MS, env })).stdout.trim();
}

/** Whether the very process that once had this identity still runs. */
export async function isSameProcess(pid: number, identity: string): Promise<boolean> {
  return (await processIdentity(pid)) === identity;
}

/** The command line of a process, its arguments joined by spaces; empty when it is gone or may not be read. */
export async function commandLine(pid: number): Promise<string> {
  if (!Number.isInteger(pid) || pid <= 0) return '';
  try {
    if (ON_LINUX) {
      if (linuxIdentity(pid) === null) return '';
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
    }
    return await ask('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
  } catch {
    return '';
  }
}

/** The working directory of a process, or null when it is gone, may not be read or the platform does not tell. */
export async function processWorkingDirectory(pid: number): Promise<string | null> {
  try {
    if (ON_LINUX) return await readlink(`/proc/${pid}/cwd`);
    const answer = await ask('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']);
    return /^n(.*)$/m.exec(answer)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Linux only: every process that works in this folder; elsewhere an empty list. */
export function processesWorkingIn(directory: string): number[] {
  if (!ON_LINUX) return [];
  const found: number[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (readlinkSync(`/proc/${entry}/cwd`) !== directory) continue;
    } catch {
      continue;
    }
    if (linuxIdentity(Number(entry)) !== null) found.push(Number(entry));
  }
  return found;
}

/** Signals the process only if it is still the one meant; false when it has ended (or its pid now is a stranger's). */
export async function signalProcess(pid: number, identity: string, signal: NodeJS.Signals): Promise<boolean> {
  if (!(await isSameProcess(pid, identity))) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
