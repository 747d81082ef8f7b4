import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Names the folder of the installation that spec files of a run share; it is started there by the first of them. */
export const SHARED_VARIABLE = 'CAIRN_TEST_SHARED_DIR';
/** In that folder: who runs it, once it is ready. */
export const READY_FILE = 'ready.json';

const STOP_TIMEOUT_MS = 30_000;

export interface SharedReady {
  /** Of the supervisor. */
  pid: number;
  dataDir: string;
}

/** Ends the installation as Ctrl-C does, if there is one; its data stay. */
export async function stopSharedCairn(folder: string): Promise<void> {
  const text = await readFile(join(folder, READY_FILE), 'utf8').catch(() => null);
  if (text === null) return;
  const { pid } = JSON.parse(text) as SharedReady;
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  for (let signal: NodeJS.Signals | 0 = 'SIGINT'; isSent(pid, signal); signal = Date.now() > deadline ? 'SIGKILL' : 0)
    await sleep(50);
}

/** False when the process is gone. */
function isSent(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
