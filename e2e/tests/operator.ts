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

/**
 * Runs `cairn … --json` against the installation on the folder, as its operator does, and returns what it printed. For
 * an installation that runs elsewhere, CAIRN_TEST_OPERATOR holds the command to run, as a JSON array.
 */
export async function operator<T>(installation: { dataDir: string }, ...args: string[]): Promise<T> {
  const elsewhere = process.env['CAIRN_TEST_OPERATOR'];
  const [program, ...first] =
    elsewhere === undefined ? [process.execPath, COMMAND] : (JSON.parse(elsewhere) as string[]);
  const env =
    elsewhere === undefined ? { PATH: process.env['PATH'], CAIRN_DATA_DIR: installation.dataDir } : process.env;
  const { stdout } = await run(program!, [...first, ...args, '--json'], { env });
  return JSON.parse(stdout) as T;
}
