import { migrationVariables, runMain } from '@cairn/service-kit';
import { variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startTenancy } from './service.ts';

await runMain('tenancy', process, { variables, migrationVariables, migrate: migrateSchema, start: startTenancy });
