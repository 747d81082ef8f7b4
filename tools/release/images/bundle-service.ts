import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { SERVICE_NAMES } from '@cairn/contracts';
import { cyclonedxEsbuildPlugin } from '@cyclonedx/cyclonedx-esbuild';
import { bundleModules } from '../bundles/bundle-modules.ts';
import { DATA_FOLDER, entryName } from '../bundles/source-paths.ts';
import { completeBillOfMaterials, writeLicences } from './packages.ts';

/** The operator's command line, which also migrates every schema. */
export const COMMAND_LINE = 'cairn';
export const IMAGES = ['gateway', ...SERVICE_NAMES, COMMAND_LINE] as const;

interface Bundle {
  folder: string;
  bytes: number;
}

/** Writes everything that an image of the service holds beside Node into `folder`. */
export async function bundleService(root: string, name: string, folder: string): Promise<Bundle> {
  // The modules that bring the services' schemas up to date.
  const migrations = name === COMMAND_LINE ? SERVICE_NAMES.map((service) => `apps/${service}/src/migrate.ts`) : [];
  const entries = [[`apps/${name}/src/main.ts`, 'main'], ...migrations.map((path) => [path, entryName(path)])];
  const { metafile, companions } = await bundleModules({
    root,
    folder,
    entries: Object.fromEntries(entries) as Record<string, string>,
    plugins: [
      cyclonedxEsbuildPlugin({
        outputFile: 'sbom.cdx.json',
        outputReproducible: true,
        mcType: 'application',
        logLevel: 'error',
      }),
    ],
  });
  for (const path of migrations) await writeForwarder(path, folder);
  await writeLicences(root, folder, metafile, companions.packages);
  await completeBillOfMaterials(root, folder, companions.packages);
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify({ name: `cairn-${name}`, private: true, type: 'module' })}\n`,
  );
  return { folder, bytes: await sizeOf(folder) };
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

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}
