import { migrationVariables, runMain } from '@cairn/service-kit';
import { variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startResearchService } from './service.ts';

await runMain('research', process, {
  variables,
  migrationVariables,
  migrate: migrateSchema,
  start: startResearchService,
});
