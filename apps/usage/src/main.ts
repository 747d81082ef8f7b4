import { createLogger, parseConfig, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { startUsage } from './service.ts';

const config = parseConfig(variables, process.env);
const logger = createLogger('usage', config.logLevel);
await runService(logger, () => startUsage(config, logger));
