import { createLogger, migrationVariables, parseConfig, runMigration, runService } from '@cairn/service-kit';
import { variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startResearchService } from './service.ts';

if (process.argv[2] === 'migrate') {
  const config = parseConfig(migrationVariables, process.env);
  await runMigration(createLogger('research', config.logLevel), () => migrateSchema(config));
} else {
  const config = parseConfig(variables, process.env);
  const logger = createLogger('research', config.logLevel);
  await runService(logger, () => startResearchService(config, logger), config);
}
