import { migrationVariables, runMain } from '@cairn/service-kit';
import { variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startKeys } from './service.ts';

await runMain('keys', process, { variables, migrationVariables, migrate: migrateSchema, start: startKeys });
