import { createLogger, parseConfig, runMigration, runService } from '@cairn/service-kit';
import { migrationVariables, variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startMemory } from './service.ts';

if (process.argv[2] === 'migrate') {
  const config = parseConfig(migrationVariables, process.env);
  await runMigration(createLogger('memory', config.logLevel), () => migrateSchema(config));
} else {
  const config = parseConfig(variables, process.env);
  const logger = createLogger('memory', config.logLevel);
  await runService(logger, () => startMemory(config, logger), config);
}
