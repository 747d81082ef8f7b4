import { migrationVariables, runMain } from '@cairn/service-kit';
import { variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startWebhooks } from './service.ts';

await runMain('webhooks', process, { variables, migrationVariables, migrate: migrateSchema, start: startWebhooks });
