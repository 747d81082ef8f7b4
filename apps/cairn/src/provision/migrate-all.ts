import { readJson } from '../data-folder.ts';
import { DATABASE_SERVICES, type DatabaseService } from '../up/engines.ts';
import { runMigrations } from '../up/run-migrations.ts';
import { serviceFile } from '../up/service-process.ts';
import { type Environment, systemEnvironment } from '../up/service-variables.ts';

/** Brings every schema up to date with the owners' URLs in the file, in a process of its own. */
export async function migrateAll(
  ownersFile: string,
  environment: Environment,
  say: (line: string) => void,
): Promise<void> {
  const owners = await readJson<Partial<Record<DatabaseService, string>>>(ownersFile);
  if (owners === null) throw new Error(`${ownersFile} does not exist. “cairn operator provision” writes it.`);
  const jobs = DATABASE_SERVICES.map((service) => {
    const databaseOwnerUrl = owners[service];
    if (databaseOwnerUrl === undefined) throw new Error(`${ownersFile} has no URL for ${service}.`);
    const options = { databaseOwnerUrl, modelsFile: environment['CAIRN_MODELS_FILE'] };
    return { service, module: serviceFile(service, 'migrate.ts'), options };
  });
  await runMigrations(jobs, systemEnvironment(environment), say);
  say('Every schema is up to date.');
}
