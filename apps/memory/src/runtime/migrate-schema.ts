import { join } from 'node:path';
import { createDatabase, FOUNDATION_MIGRATIONS, migrate } from '@cairn/postgres';
import { embeddingModelOf } from '../vectors/embedding-model.ts';
import { createVectorIndex } from '../vectors/create-vector-index.ts';

export const MIGRATIONS: string[] = [FOUNDATION_MIGRATIONS, join(import.meta.dirname, '..', 'migrations')];
const SCHEMA = 'memory';
/** Indexes over what has been stored may take hours. */
const STATEMENT_TIMEOUT_MS = 6 * 3_600_000;

/**
 * Brings the schema up to date as its owner, and returns the names of the migrations applied. The vector index of the
 * configured embedding model is part of it, because only the owner may create it.
 */
export async function migrateSchema(options: {
  databaseOwnerUrl: string;
  modelsFile?: string | undefined;
}): Promise<string[]> {
  const { databaseOwnerUrl, modelsFile } = options;
  const applied = await migrate({ ownerUrl: databaseOwnerUrl, schema: SCHEMA, directories: MIGRATIONS });
  if (modelsFile !== undefined) await createConfiguredVectorIndex(databaseOwnerUrl, modelsFile);
  return applied;
}

async function createConfiguredVectorIndex(ownerUrl: string, modelsFile: string): Promise<void> {
  // Loaded on demand: without models, migrating does not pay for the providers' libraries.
  const { readModelsConfig } = await import('@cairn/llm');
  const model = embeddingModelOf(await readModelsConfig(modelsFile));
  if (model === null) return;
  const owner = createDatabase({
    url: ownerUrl,
    applicationName: 'memory:migrate',
    poolMax: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    await createVectorIndex(owner, SCHEMA, model);
  } finally {
    await owner.close();
  }
}
