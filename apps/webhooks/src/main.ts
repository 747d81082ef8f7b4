import { createLogger, parseConfig, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { startWebhooks } from './service.ts';

const config = parseConfig(variables, process.env);
const logger = createLogger('webhooks', config.logLevel);
await runService(logger, () => startWebhooks(config, logger));
