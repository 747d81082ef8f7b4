import { createLogger, parseConfig, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { startResearchService } from './service.ts';

const config = parseConfig(variables, process.env);
const logger = createLogger('research', config.logLevel);
await runService(logger, () => startResearchService(config, logger));
