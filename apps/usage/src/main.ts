import { createLogger, migrationVariables, parseConfig, runMigration, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startUsage } from './service.ts';

if (process.argv[2] === 'migrate') {
  const config = parseConfig(migrationVariables, process.env);
  await runMigration(createLogger('usage', config.logLevel), () => migrateSchema(config));
} else {
  const config = parseConfig(variables, process.env);
  const logger = createLogger('usage', config.logLevel);
  await runService(logger, () => startUsage(config, logger), config);
}
