import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, '..', '..', 'apps', 'cairn', 'src', 'main.ts');

export interface NewTenant {
  tenant_id: string;
  api_key: string;
  test_api_key: string;
}

/** Runs `cairn … --json` against the installation on the folder, as its operator does, and gives what it printed. */
export async function operator<T>(installation: { dataDir: string }, ...args: string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [COMMAND, ...args, '--json'], {
    env: { PATH: process.env['PATH'], CAIRN_DATA_DIR: installation.dataDir },
  });
  return JSON.parse(stdout) as T;
}
