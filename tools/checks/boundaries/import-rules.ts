import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path/posix';
import type { Violation } from '../violation.ts';
import type { Import } from './imports.ts';
import {
  folderOf,
  lineInManifest,
  type Project,
  type ProjectFile,
  shippedDependencies,
  type Workspace,
} from './projects.ts';

/** Measures the sources of every other project, so it alone may import them by their paths; nobody imports it. */
const LAB = /^tools\/lab\//;

/** What is wrong with the imports of one project. */
export function importViolations(project: Project, workspace: Workspace): Violation[] {
  return project.files.flatMap((file) =>
    file.imports.flatMap((imported) => {
      const message = imported.specifier.startsWith('.')
        ? relativeImport(project, file, imported, workspace)
        : packageImport(project, file, imported, workspace);
      return message === null ? [] : [{ file: file.path, line: imported.line, message }];
    }),
  );
}

function relativeImport(
  project: Project,
  file: ProjectFile,
  { specifier }: Import,
  workspace: Workspace,
): string | null {
  const target = join(dirname(file.path), specifier);
  const isInLab = LAB.test(file.path);
  if (LAB.test(target) && !isInLab) return `'${specifier}' is in the lab, which nothing outside of it imports`;
  const owner = ownerOf(target, workspace);
  if (owner === project) return null;
  if (!isInLab || owner === undefined) return `'${specifier}' leaves the project; import the package by its name`;
  const { name } = owner.manifest;
  return shippedDependencies(project).includes(name) ? null : undeclared(name, project);
}

/** The project of a source. */
function ownerOf(path: string, { projects }: Workspace): Project | undefined {
  const folder = folderOf(
    path,
    projects.map((project) => project.folder),
  );
  return projects.find((project) => project.folder === folder);
}

function undeclared(name: string, project: Project): string {
  return `'${name}' is not declared in ${project.folder}/package.json`;
}

function packageImport(project: Project, file: ProjectFile, imported: Import, workspace: Workspace): string | null {
  const { specifier, typeOnly } = imported;
  if (isBuiltin(specifier)) return null;
  if (specifier.startsWith('/') || specifier.includes(':')) return `'${specifier}' is neither a package nor relative`;
  const name = packageOf(specifier);
  const inner = `.${specifier.slice(name.length)}`;
  const target = workspace.projects.find(({ manifest }) => manifest.name === name);
  if (target !== undefined && inner !== '.' && target.manifest.exports?.[inner] === undefined) {
    return `'${specifier}' is an inner path of ${name}; import what it exports`;
  }
  const declared = new Set(shippedDependencies(project));
  if (file.isTest) {
    for (const known of Object.keys(project.manifest.devDependencies ?? {})) declared.add(known);
    for (const known of workspace.rootDevDependencies) declared.add(known);
  }
  if (declared.has(name) || (typeOnly && declared.has(typesOf(name)))) return null;
  return undeclared(name, project);
}

/** Declared dependencies that no file of the project names. */
export function unusedDependencies(project: Project, workspace: Workspace): Violation[] {
  const { dependencies, devDependencies, peerDependencies } = project.manifest;
  const specifiers = project.files.flatMap(({ path, imports, strings }) => [
    ...imports.map(({ specifier }) =>
      specifier.startsWith('.')
        ? (ownerOf(join(dirname(path), specifier), workspace)?.manifest.name ?? specifier)
        : specifier,
    ),
    ...strings,
  ]);
  const used = new Set(specifiers.map(packageOf));
  // Optional ones are picked by platform, under a name that is computed; types are used by the compiler.
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
    .filter((name) => !name.startsWith('@types/') && !used.has(name))
    .map((name) => ({
      file: project.manifestFile.path,
      line: lineInManifest(project, name),
      message: `'${name}' is declared and never imported`,
    }));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function typesOf(name: string): string {
  return `@types/${name.replace(/^@/, '').replace('/', '__')}`;
}
