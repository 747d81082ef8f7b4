import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE_SERVICES, SERVICES } from '../services.ts';
import { bundleModules } from './bundle-modules.ts';
import { entryName } from './source-paths.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * `node tools/bundles/installation.ts --out FOLDER`: all that the embedded installation starts, in a few modules that
 * the services share: each starts in half the time and memory that its sources take.
 */
const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
if (out === undefined) throw new Error('--out names the folder to write to');
const modules = [
  ...SERVICES.map((service) => `apps/${service}/src/main.ts`),
  ...DATABASE_SERVICES.map((service) => `apps/${service}/src/migrate.ts`),
  'apps/cairn/src/up/migrate-process.ts',
];
await bundleModules({
  root: ROOT,
  folder: resolve(out),
  entries: Object.fromEntries(modules.map((path) => [path, entryName(path)])),
});
