import { resolve } from 'node:path';
import { ConfigError, parseConfig } from '@cairn/service-kit';
import { runCommandLine } from './command-line.ts';
import { variables } from './config.ts';

try {
  const config = parseConfig(variables, process.env);
  process.exitCode = await runCommandLine(process.argv, {
    ...config,
    dataDir: resolve(config.dataDir),
    environment: process.env,
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`cairn: ${error.message}\n`);
  process.exitCode = 1;
}
