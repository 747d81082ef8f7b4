import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, provisionService, type RolePasswords } from '@cairn/postgres';
import pg from 'pg';

/** Roles belong to the whole server, which spec files share: the passwords must be the same in each. */
export const TEST_PASSWORDS: RolePasswords = { owner: 'test-owner', app: 'test-app', worker: 'test-worker' };

interface TemplateOptions {
  superuserUrl: string;
  service: string;
  migrations: string[];
}

const names = new Map<string, Promise<string>>();

/**
 * Name of a database on the shared server that has the service's schema with these migrations, made by the first spec
 * file that asks for it. Copying it takes a third of the time of migrating.
 */
export function templateOf(options: TemplateOptions): Promise<string> {
  const key = [options.superuserUrl, options.service, ...options.migrations].join(' ');
  let name = names.get(key);
  if (name === undefined) {
    name = prepareTemplate(options);
    names.set(key, name);
  }
  return name;
}

async function prepareTemplate({ superuserUrl, service, migrations }: TemplateOptions): Promise<string> {
  const template = `template_${service}_${await checksumOf(migrations)}`;
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    // Spec files of other processes may be about to make the same one.
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [template]);
    const ready = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (ready.rowCount === 0) {
      // Under the final name only when it is complete: a run that is killed on the way leaves no half of one.
      const draft = `${template}_draft`;
      await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
      const { roles } = await provisionService({ superuserUrl, database: draft, service, passwords: TEST_PASSWORDS });
      await migrate({ ownerUrl: roles.ownerUrl, schema: service, directories: migrations });
      await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
    }
    return template;
  } finally {
    await client.end();
  }
}

async function checksumOf(directories: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const directory of directories) {
    for (const file of (await readdir(directory)).sort()) {
      if (file.endsWith('.sql')) hash.update(`${file}\n`).update(await readFile(join(directory, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
