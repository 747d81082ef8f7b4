import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunningCairn } from '@cairn/testing';
import type { Target } from './through-http.ts';

const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, '..', '..', '..', 'apps', 'cairn', 'src', 'main.ts');

/** A tenant without narrow limits: measuring is not a customer, so it gets the largest plan. */
export async function measuringTenant(cairn: RunningCairn): Promise<Target> {
  const { stdout } = await run(
    process.execPath,
    [COMMAND, 'operator', 'tenant', 'create', '--name', 'Evaluation', '--plan', 'enterprise', '--json'],
    { env: { ...process.env, CAIRN_DATA_DIR: cairn.dataDir } },
  );
  return { baseUrl: cairn.baseUrl, apiKey: (JSON.parse(stdout) as { api_key: string }).api_key };
}
