import { createLogger, parseConfig, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { startTenancy } from './service.ts';

const config = parseConfig(variables, process.env);
const logger = createLogger('tenancy', config.logLevel);
await runService(logger, () => startTenancy(config, logger));
