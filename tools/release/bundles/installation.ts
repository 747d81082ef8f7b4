import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICE_NAMES } from '@cairn/contracts';
import { bundleModules } from './bundle-modules.ts';
import { entryName } from './source-paths.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * `node tools/release/bundles/installation.ts --out FOLDER`: all that the embedded installation starts, in a few modules
 * that the services share: each starts in half the time that its sources take. The programs of the embedded PostgreSQL
 * stay packages of the repository. `modules.json` names the file of each module by its source.
 */
const { out } = parseArgs({ options: { out: { type: 'string' } } }).values;
if (out === undefined) throw new Error('--out names the folder to write to');
const folder = resolve(out);
const started = ['gateway', ...SERVICE_NAMES];
const modules = [
  ...started.map((service) => `apps/${service}/src/main.ts`),
  ...SERVICE_NAMES.map((service) => `apps/${service}/src/migrate.ts`),
  'apps/cairn/src/up/migrate-process.ts',
];
const entries = Object.fromEntries(modules.map((path) => [path, entryName(path)]));
await bundleModules({ root: ROOT, folder, entries });
const files = Object.fromEntries(modules.map((path) => [path, `${entryName(path)}.mjs`]));
await writeFile(join(folder, 'modules.json'), `${JSON.stringify(files, null, 2)}\n`);
