import { createLogger, parseConfig, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { startKeys } from './service.ts';

const config = parseConfig(variables, process.env);
const logger = createLogger('keys', config.logLevel);
await runService(logger, () => startKeys(config, logger));
