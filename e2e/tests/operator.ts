import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { operatorCommand } from '@cairn/testing';

const run = promisify(execFile);

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
  if (elsewhere === undefined) return operatorCommand<T>(installation.dataDir, ...args);
  const [program, ...first] = JSON.parse(elsewhere) as string[];
  const { stdout } = await run(program!, [...first, ...args, '--json'], { env: process.env });
  return JSON.parse(stdout) as T;
}
