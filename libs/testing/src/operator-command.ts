import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CAIRN_COMMAND } from './cairn-harness.ts';

const run = promisify(execFile);

/** Runs `cairn … --json` on the data folder of an installation, as its operator does, and returns what it printed. */
export async function operatorCommand<T>(dataDir: string, ...args: string[]): Promise<T> {
  const env = { PATH: process.env['PATH'], CAIRN_DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [CAIRN_COMMAND, ...args, '--json'], { env });
  return JSON.parse(stdout) as T;
}
