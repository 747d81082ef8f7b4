import { createLogger, parseConfig, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { startMemory } from './service.ts';

const config = parseConfig(variables, process.env);
const logger = createLogger('memory', config.logLevel);
await runService(logger, () => startMemory(config, logger));
