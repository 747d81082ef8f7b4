import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';

/** Names the folder of the installations that spec files of a run share, each in a folder of its own. */
export const SHARED_VARIABLE = 'CAIRN_TEST_SHARED_DIR';
/** In that folder: the process id of the supervisor, from when it is started. */
export const PID_FILE = 'supervisor.pid';

const STOP_TIMEOUT_MS = 30_000;

/** The supervisor of the installation in the folder; null when none was started. */
export async function supervisorIn(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, PID_FILE), 'utf8').catch(() => '');
  return text === '' ? null : Number(text);
}

/** Ends every installation in the folder, as `stopSharedCairn` does. */
export async function stopSharedCairns(shared: string): Promise<void> {
  const folders = await readdir(shared).catch(() => []);
  await Promise.all(folders.map((name) => stopSharedCairn(join(shared, name))));
}

/** Ends the installation as Ctrl-C does, if one was started, ready or not; its data stay. */
async function stopSharedCairn(folder: string): Promise<void> {
  const pid = await supervisorIn(folder);
  if (pid === null || !isSent(pid, 'SIGINT')) return;
  await eventually(() => !isRunning(pid), Boolean, STOP_TIMEOUT_MS).catch(() => isSent(pid, 'SIGKILL'));
}

export function isRunning(pid: number): boolean {
  return isSent(pid, 0);
}

/** False when the process is gone. */
function isSent(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
