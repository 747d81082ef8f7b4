import { migrationVariables, runMain } from '@cairn/service-kit';
import { variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startUsage } from './service.ts';

await runMain('usage', process, { variables, migrationVariables, migrate: migrateSchema, start: startUsage });
