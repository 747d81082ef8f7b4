import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE_SERVICES, SERVICES } from '../services.ts';
import { bundleModules } from './bundle-modules.ts';
import { entryName } from './source-paths.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * `node tools/bundles/installation.ts --out FOLDER`: all that the embedded installation starts, in a few modules that
 * the services share: each starts in half the time that its sources take. Tenancy alone starts from its sources: it
 * needs the programs of the embedded PostgreSQL, which stay packages of the repository.
 */
const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
if (out === undefined) throw new Error('--out names the folder to write to');
const modules = [
  ...SERVICES.filter((service) => service !== 'tenancy').map((service) => `apps/${service}/src/main.ts`),
  ...DATABASE_SERVICES.map((service) => `apps/${service}/src/migrate.ts`),
  'apps/cairn/src/up/migrate-process.ts',
];
await bundleModules({
  root: ROOT,
  folder: resolve(out),
  entries: Object.fromEntries(modules.map((path) => [path, entryName(path)])),
});
