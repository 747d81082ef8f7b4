import { resolve } from 'node:path';
import { parseConfig } from '@cairn/service-kit';
import { runCommandLine } from './command-line.ts';
import { variables } from './config.ts';

const config = parseConfig(variables, process.env);
process.exitCode = await runCommandLine(process.argv, {
  ...config,
  dataDir: resolve(config.dataDir),
  environment: process.env,
});
