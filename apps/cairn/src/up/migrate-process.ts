import type { MigrationJob, MigrationReport } from './run-migrations.ts';

/**
 * Migrates all schemas side by side and ends. A process of its own, so that what runs migrations is gone before
 * anything serves; the owners' URLs come over the channel to the parent, where no other process can read them as it
 * could in an environment.
 */
process.once('message', (jobs: MigrationJob[]) => {
  void Promise.all(jobs.map(migrateOne)).then((reports) => process.send?.(reports, () => process.disconnect()));
});

async function migrateOne({ service, module, options }: MigrationJob): Promise<MigrationReport> {
  try {
    const { migrateSchema } = (await import(module)) as {
      migrateSchema: (given: MigrationJob['options']) => Promise<string[]>;
    };
    return { service, applied: await migrateSchema(options) };
  } catch (error) {
    return { service, failure: error instanceof Error ? error.message : String(error) };
  }
}
