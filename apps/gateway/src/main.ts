import { createLogger, parseConfig, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { startGateway } from './service.ts';

const config = parseConfig(variables, process.env);
const logger = createLogger('gateway', config.logLevel);
await runService(logger, () => startGateway(config, logger));
