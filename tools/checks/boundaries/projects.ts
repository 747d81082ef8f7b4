import { dirname } from 'node:path/posix';
import { isGenerated, lineOf, readSourceFiles, type SourceFile } from '../source-files.ts';
import { type Export, readExports } from './exports.ts';
import { type FileImports, readImports } from './imports.ts';

interface Manifest {
  name: string;
  exports?: Record<string, unknown>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  nx?: { tags?: string[] };
}

export interface ProjectFile extends FileImports {
  path: string;
  /** Never shipped: what it imports may come from development dependencies. */
  isTest: boolean;
  exports: Export[];
}

export interface Project {
  folder: string;
  manifestFile: SourceFile;
  manifest: Manifest;
  files: ProjectFile[];
}

export interface Workspace {
  projects: Project[];
  rootDevDependencies: string[];
}

const MANIFEST = /^(?:(?:apps|libs|sdk\/adapters)\/[^/]+|e2e|sdk|tools)\/package\.json$/;
const NEVER_SHIPPED = /\.(?:spec|conformance)\.ts$|\/tests\/|^apps\/console\/build\/|^e2e\/|^tools\/|^libs\/testing\//;

export function readWorkspace(root: string): Workspace {
  const all = readSourceFiles(root);
  const sources = all.filter(({ path }) => /\.[cm]?[jt]sx?$/.test(path) && !isGenerated(path));
  const manifests = all.filter(({ path }) => MANIFEST.test(path));
  const folders = manifests.map(({ path }) => dirname(path));
  const byFolder = Map.groupBy(sources, ({ path }) => folderOf(path, folders));
  const projects = manifests.map((manifestFile) => {
    const folder = dirname(manifestFile.path);
    const files = (byFolder.get(folder) ?? []).map((file) => ({
      path: file.path,
      isTest: NEVER_SHIPPED.test(file.path),
      exports: readExports(file),
      ...readImports(file),
    }));
    return { folder, manifestFile, manifest: JSON.parse(manifestFile.text) as Manifest, files };
  });
  const rootManifest = JSON.parse(all.find(({ path }) => path === 'package.json')?.text ?? '{}') as Manifest;
  return { projects, rootDevDependencies: Object.keys(rootManifest.devDependencies ?? {}) };
}

/** The innermost of the folders that holds the path: an adapter lies in the folder of the SDK. */
export function folderOf(path: string, folders: readonly string[]): string | undefined {
  const holding = folders.filter((folder) => path.startsWith(`${folder}/`));
  return holding.toSorted((a, b) => b.length - a.length)[0];
}

/** What the project needs where it runs; development dependencies only serve its tests. */
export function shippedDependencies({ manifest }: Project): string[] {
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies });
}

export function lineInManifest({ manifestFile }: Project, dependency: string): number {
  return lineOf(manifestFile.text, manifestFile.text.indexOf(`"${dependency}"`));
}
