import { runMain } from '@cairn/service-kit';
import { migrationVariables, variables } from './config.ts';
import { migrateSchema } from './migrate.ts';
import { startMemory } from './service.ts';

await runMain('memory', process, { variables, migrationVariables, migrate: migrateSchema, start: startMemory });
