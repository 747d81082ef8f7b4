import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { join as joinPosix } from 'node:path/posix';
import type { Plugin } from 'esbuild';

/** What a bundle needs beside its modules, by its path in the repository. */
export interface BundleAssets {
  /** Modules that are started by their path: worker processes and threads. */
  entries: Set<string>;
  /** Files and folders that are read at run time: migrations, pages, price books. */
  data: Set<string>;
  /** Packages that are looked for at run time and read as files, so that they stay packages; with the files, or `all`. */
  packages: Map<string, Set<string> | 'all'>;
}

/** Folder of a bundle that keeps files at the paths they have in the repository. */
export const DATA_FOLDER = 'files';

// In the form that the formatter writes.
const JOINED = /\bjoin\(import\.meta\.dirname((?:, '[^']*')*)(\)|,)/g;
const LOCATED = /new URL\('([^']*)', import\.meta\.url\)/g;
const RESOLVED = /createRequire\(import\.meta\.url\)\.resolve\('([^']*)'/g;
const RESOLVER = 'createRequire(import.meta.url)';
const ENTRY_FILE = /import\.meta\.filename/g;

/** Name that a module started by its path has in the bundle's folder: all are in one folder. */
export function entryName(path: string): string {
  return path.replace(/\.ts$/, '').replaceAll('/', '-');
}

/**
 * Sources find their companions relative to their own file. In a bundle every module lies in one folder, so what they
 * refer to is noted, to be put there, and the reference is rewritten. A reference of another form fails the build:
 * what nobody put there would only be missed when it is used.
 */
export function rewriteReferences(path: string, source: string, companions: BundleAssets): string {
  const folder = dirname(path);
  const refer = (target: string): string => {
    if (target.endsWith('.ts')) {
      companions.entries.add(target);
      return `${entryName(target)}.mjs`;
    }
    companions.data.add(target);
    return `${DATA_FOLDER}/${target}`;
  };
  const rewritten = source
    .replace(JOINED, (_whole, literals: string, next: string) => {
      const segments = [...literals.matchAll(/'([^']*)'/g)].map((match) => match[1]!);
      const target = joinPosix(folder, ...segments);
      // With a computed rest, whoever bundles puts there what the rest may name.
      const found = next === ')' ? refer(target) : `${DATA_FOLDER}/${target}`;
      return `join(import.meta.dirname, '${found}'${next}`;
    })
    .replace(
      LOCATED,
      (_whole, literal: string) => `new URL('./${refer(joinPosix(folder, literal))}', import.meta.url)`,
    );
  for (const [, specifier] of source.matchAll(RESOLVED)) referToPackage(specifier!, companions);
  const known = rewritten.replace(JOINED, '').replace(LOCATED, '').replaceAll(RESOLVER, '').replace(ENTRY_FILE, '');
  const unknown = /import\.meta\.(?!main\b)\w+/.exec(known);
  if (unknown !== null) throw new Error(`${path}: ${unknown[0]} is used in a form that cannot be bundled`);
  return rewritten;
}

/** Whoever asks for one file of a package needs that file; whoever asks for the package or its manifest, all of it. */
function referToPackage(specifier: string, { packages }: BundleAssets): void {
  const name = packageOf(specifier);
  const file = specifier.slice(name.length + 1);
  const known = packages.get(name);
  if (file === '' || file === 'package.json' || known === 'all') packages.set(name, 'all');
  else packages.set(name, new Set([...(known ?? []), file]));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Applies it to the sources of the repository, and to no package. */
export function rewriteSources(root: string, companions: BundleAssets): Plugin {
  return {
    name: 'source-paths',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const inside = relative(root, path);
        if (inside.startsWith('..') || inside.includes('node_modules')) return undefined;
        const contents = rewriteReferences(inside, await readFile(join(root, inside), 'utf8'), companions);
        return { contents, loader: 'ts' };
      });
    },
  };
}
