import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { UpError } from './up-error.ts';

export interface MigrationJob {
  service: string;
  /** The service's migrate.ts. */
  module: string;
  options: { databaseOwnerUrl: string; modelsFile: string | undefined };
}

export type MigrationReport = { service: string } & ({ applied: string[] } | { failure: string });

const PROGRAM = join(import.meta.dirname, 'migrate-process.ts');

/**
 * Brings the schemas up to date in one short-lived process, which alone is given the owners' URLs. Rejects with what
 * went wrong in each schema that could not be migrated. `program` is where that process's module lies.
 */
export async function runMigrations(
  jobs: readonly MigrationJob[],
  env: Record<string, string>,
  log: (line: string) => void,
  program: string = PROGRAM,
): Promise<void> {
  const child = fork(program, [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: [] });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new UpError(`The process that migrates ended (${signal ?? `exit code ${code}`}) before it was done.`);
  });
  const reported = once(child, 'message').then(([reports]) => reports as MigrationReport[]);
  child.send(jobs);
  const reports = await Promise.race([reported, ended]);
  const failures: string[] = [];
  for (const report of reports) {
    if ('failure' in report) failures.push(`${report.service}: ${report.failure}`);
    else if (report.applied.length > 0) log(`${report.service}: applied ${report.applied.length} migrations`);
  }
  if (failures.length > 0) throw new UpError(`These schemas could not be migrated:\n${failures.join('\n')}`);
}
