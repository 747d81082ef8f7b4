import { readConfig, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { startProcesses } from './processes.ts';
import { startGateway } from './service.ts';

const { env } = process;
const { config, logger } = readConfig('gateway', variables, env);
const entry = import.meta.filename;
await runService(
  logger,
  () => (config.processes > 1 ? startProcesses({ config, entry, env, logger }) : startGateway(config, logger)),
  // Each of several processes serves its own.
  config.processes > 1 ? { ...config, metricsPort: undefined, otlpEndpoint: undefined } : config,
);
