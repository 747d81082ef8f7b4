import { cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { cyclonedxEsbuildPlugin } from '@cyclonedx/cyclonedx-esbuild';
import { build, type Metafile } from 'esbuild';
import { type Companions, DATA_FOLDER, entryName, rewriteSources } from './source-paths.ts';
import { completeBillOfMaterials, copyPackages, writeLicences } from './packages.ts';

const SERVICES = ['gateway', 'keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;
/** The operator's command line, which also migrates every schema. */
export const COMMAND_LINE = 'cairn';
export const IMAGES = [...SERVICES, COMMAND_LINE] as const;

interface Bundle {
  folder: string;
  bytes: number;
}

/** Drivers of other databases and native variants that their packages only try to load. */
const ABSENT_PACKAGES = [
  'mariadb',
  'better-sqlite3',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
  'canvas',
  '@napi-rs/canvas',
];

/** CommonJS packages in the bundle expect the variables of a CommonJS module. */
const BANNER = [
  "import { createRequire as cairnCreateRequire } from 'node:module';",
  'const require = cairnCreateRequire(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');

/** Writes everything that an image of the service holds beside Node into `folder`. */
export async function bundleService(root: string, name: string, folder: string): Promise<Bundle> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const companions: Companions = { entries: new Set(), data: new Set(), packages: new Map() };
  const migrations = name === COMMAND_LINE ? await migrationModules(root) : [];
  const main = `apps/${name}/src/main.ts`;
  let entries = [main, ...migrations];
  let metafile: Metafile | null = null;
  // Each round may meet modules that start further ones by their path.
  for (let known = 0; known < entries.length;) {
    known = entries.length;
    metafile = await runEsbuild(root, folder, entries, companions);
    entries = [...new Set([...entries, ...companions.entries])];
  }
  for (const path of companions.data) await copyData(root, path, folder);
  for (const path of migrations) await writeForwarder(path, folder);
  await copyPackages(root, folder, companions.packages);
  await writeLicences(root, folder, metafile!, companions.packages);
  await completeBillOfMaterials(root, folder, companions.packages);
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify({ name: `cairn-${name}`, private: true, type: 'module' })}\n`,
  );
  return { folder, bytes: await sizeOf(folder) };
}

async function runEsbuild(root: string, folder: string, entries: string[], companions: Companions): Promise<Metafile> {
  for (const file of await readdir(folder)) await rm(join(folder, file), { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries.map((path, index) => [index === 0 ? 'main' : entryName(path), path])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    chunkNames: 'chunk-[hash]',
    banner: { js: BANNER },
    external: ABSENT_PACKAGES,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
    plugins: [
      rewriteSources(root, companions),
      cyclonedxEsbuildPlugin({
        outputFile: 'sbom.cdx.json',
        outputReproducible: true,
        mcType: 'application',
        logLevel: 'error',
      }),
    ],
  });
  return metafile;
}

/** The module of each service that brings its schema up to date. */
async function migrationModules(root: string): Promise<string[]> {
  const paths = SERVICES.map((service) => `apps/${service}/src/migrate.ts`);
  const there = await Promise.all(
    paths.map((path) =>
      stat(join(root, path)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_path, index) => there[index]);
}

/** The command line imports it by the path that it has in the repository. */
async function writeForwarder(path: string, folder: string): Promise<void> {
  const file = join(folder, DATA_FOLDER, path);
  await mkdir(dirname(file), { recursive: true });
  const target = relative(dirname(file), join(folder, `${entryName(path)}.mjs`))
    .split(sep)
    .join('/');
  await writeFile(file, `export * from '${target}';\n`);
}

async function copyData(root: string, path: string, folder: string): Promise<void> {
  // The default data folder of the embedded installation: a place to write to, with secrets in it.
  if (path.split('/').some((name) => name.startsWith('.'))) return;
  await cp(join(root, path), join(folder, DATA_FOLDER, path), { recursive: true });
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}
