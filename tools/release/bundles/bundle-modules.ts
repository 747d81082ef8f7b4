import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { type BundleAssets, DATA_FOLDER, entryName, rewriteSources } from './source-paths.ts';

interface Bundled {
  metafile: Metafile;
  companions: BundleAssets;
}

interface BundleOptions {
  /** The repository. */
  root: string;
  /** Emptied first. */
  folder: string;
  /** Module to start by → name of its file in the folder, without `.mjs`. */
  entries: Readonly<Record<string, string>>;
  plugins?: readonly Plugin[];
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

/** An error that nobody catches prints the line that threw it. */
const LINE_MAX_CHARS = 200;

/** CommonJS packages in the bundle expect the variables of a CommonJS module. */
const BANNER = [
  "import { createRequire as cairnCreateRequire } from 'node:module';",
  'const require = cairnCreateRequire(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');

/**
 * Writes the modules with all that they import, and the files and packages that they read, into `folder`. Modules that
 * they start by their path become further ones beside them.
 */
export async function bundleModules({ root, folder, entries, plugins = [] }: BundleOptions): Promise<Bundled> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const companions: BundleAssets = { entries: new Set(), data: new Set(), packages: new Map() };
  const wanted = new Map(Object.entries(entries));
  const sources = rewriteSources(root, companions);
  // Modules that are met may start further ones by their path: with our own sources alone that is known soon.
  for (let known = 0; wanted.size > known;) {
    known = wanted.size;
    await build({ ...optionsOf(root, folder, wanted), plugins: [sources, packagesLeftOut], write: false });
    for (const path of companions.entries) if (!wanted.has(path)) wanted.set(path, entryName(path));
  }
  const { metafile } = await build({ ...optionsOf(root, folder, wanted), plugins: [sources, ...plugins] });
  for (const path of companions.data) await copyData(root, path, folder);
  await copyPackages(root, folder, companions.packages);
  return { metafile, companions };
}

const packagesLeftOut: Plugin = {
  name: 'packages-left-out',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@cairn/') ? undefined : { path, external: true },
    );
  },
};

function optionsOf(root: string, folder: string, entries: ReadonlyMap<string, string>) {
  return {
    absWorkingDir: root,
    entryPoints: [...entries].map(([path, name]) => ({ in: path, out: name })),
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
    // One character beyond ASCII in a comment, and the engine keeps the whole module with two bytes a character.
    minifyWhitespace: true,
    lineLimit: LINE_MAX_CHARS,
    metafile: true,
    logLevel: 'error',
  } as const satisfies BuildOptions;
}

async function copyData(root: string, path: string, folder: string): Promise<void> {
  // The default data folder of the embedded installation: a place to write to, with secrets in it.
  if (path.split('/').some((name) => name.startsWith('.'))) return;
  await cp(join(root, path), join(folder, DATA_FOLDER, path), { recursive: true });
}

/** Puts packages beside the bundle whose files are read there; none of their code runs, so nothing they depend on. */
async function copyPackages(root: string, folder: string, packages: BundleAssets['packages']): Promise<void> {
  for (const [name, files] of packages) {
    const from = join(root, 'node_modules', name);
    const to = join(folder, 'node_modules', name);
    const filter = (path: string) => !path.endsWith('.map');
    for (const file of files === 'all' ? [''] : ['package.json', ...files])
      await cp(join(from, file), join(to, file), { recursive: true, filter });
  }
}
