import { createLogger, migrationVariables, parseConfig, runMigration, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startTenancy } from './service.ts';

if (process.argv[2] === 'migrate') {
  const config = parseConfig(migrationVariables, process.env);
  await runMigration(createLogger('tenancy', config.logLevel), () => migrateSchema(config));
} else {
  const config = parseConfig(variables, process.env);
  const logger = createLogger('tenancy', config.logLevel);
  await runService(logger, () => startTenancy(config, logger), config);
}
