import { readFileSync, writeFileSync } from 'node:fs';
import { stopEngines } from './global-setup.ts';

/** Set by tools/checks/jest/summary-reporter.cjs: where it left the results of this project's spec files. */
const RESULT_FILE = 'CAIRN_TEST_RESULT_FILE';

/**
 * The last thing that Jest does. It says in the project's result that Jest got so far: a project in which only spec files
 * failed can be told from one in which something else went wrong.
 */
export default async function globalTeardown(): Promise<void> {
  await stopEngines();
  const file = process.env[RESULT_FILE];
  if (file !== undefined)
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ended: true }));
}
