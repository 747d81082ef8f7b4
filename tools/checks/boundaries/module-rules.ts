import { dirname, join } from 'node:path/posix';
import type { Violation } from '../violation.ts';
import type { Project, ProjectFile, Workspace } from './projects.ts';

/** Loaded by somebody outside the repository: users of the SDK, and Nx and jest by path. */
const PUBLIC = /^sdk\/src\/(?:index|tools)\.ts$|^sdk\/adapters\/[^/]+\/src\/index\.ts$|\.[cm]js$/;
/** `npm run generate:docs` loads these by path. */
const CONFIG = /\/src\/config\.ts$/;
/** Nobody imports a spec, so it closes no cycle; it may use the harness in `tests/` that is built on the sources. */
const SPEC = /\.spec\.ts$/;
const FILE_BESIDE = /^(?:\.\/)?[\w.-]+\.ts$/;

/** Folders for which a rule holds; null is the whole repository. */
interface ModuleRules {
  cycles: readonly string[] | null;
  exports: readonly string[] | null;
}

export const MODULE_RULES: ModuleRules = { cycles: null, exports: null };

/** What is wrong with how the files of a project import each other. */
export function moduleViolations(workspace: Workspace, rules: ModuleRules): Violation[] {
  const isIn = (folders: readonly string[] | null, { file }: Violation) =>
    folders === null || folders.some((folder) => file.startsWith(`${folder}/`));
  return [
    ...workspace.projects.flatMap(moduleCycles).filter((violation) => isIn(rules.cycles, violation)),
    ...unusedExports(workspace).filter((violation) => isIn(rules.exports, violation)),
  ];
}

interface Edge {
  from: string;
  to: string;
  line: number;
}

/**
 * Cycles among the files and folders beside each other in one folder of a project, type imports included. A folder
 * imports what the files in it import, so that every folder can be read in one direction.
 */
function moduleCycles(project: Project): Violation[] {
  const paths = new Set(project.files.map(({ path }) => path));
  const edges = project.files
    .filter(({ path }) => !SPEC.test(path))
    .flatMap((file) => relativeImports(file).filter(({ to }) => paths.has(to)));
  const bySiblings = Map.groupBy(
    edges.filter(({ from, to }) => from !== to),
    ({ from, to }) => commonFolder(from, to),
  );
  return [...bySiblings].flatMap(([folder, inside]) => cyclesAmong(folder, inside));
}

function relativeImports(file: ProjectFile): Edge[] {
  return file.imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, line }) => ({ from: file.path, to: join(dirname(file.path), specifier), line }));
}

function commonFolder(from: string, to: string): string {
  let folder = dirname(from);
  while (!to.startsWith(`${folder}/`)) folder = dirname(folder);
  return folder;
}

/** One violation for each group of siblings that reach each other: its shortest ring, where it closes. */
function cyclesAmong(folder: string, edges: readonly Edge[]): Violation[] {
  const childOf = (path: string) => path.slice(folder.length + 1).split('/')[0]!;
  const next = new Map<string, Map<string, Edge>>();
  for (const edge of edges) {
    const from = childOf(edge.from);
    const targets = next.get(from) ?? new Map<string, Edge>();
    if (!targets.has(childOf(edge.to))) targets.set(childOf(edge.to), edge);
    next.set(from, targets);
  }
  const told = new Set<string>();
  const found: Violation[] = [];
  for (const start of [...next.keys()].toSorted()) {
    if (told.has(start)) continue;
    const ring = shortestRing(start, next);
    if (ring === null) continue;
    for (const name of ring) told.add(name);
    const closing = next.get(ring.at(-1)!)!.get(start)!;
    const message = `import cycle in ${folder}: ${[...ring, start].join(' → ')}`;
    found.push({ file: closing.from, line: closing.line, message });
  }
  return found;
}

function shortestRing(start: string, next: ReadonlyMap<string, ReadonlyMap<string, Edge>>): string[] | null {
  let paths = [[start]];
  const seen = new Set<string>();
  while (paths.length > 0) {
    const longer: string[][] = [];
    for (const path of paths) {
      for (const name of next.get(path.at(-1)!)?.keys() ?? []) {
        if (name === start) return path;
        if (seen.has(name)) continue;
        seen.add(name);
        longer.push([...path, name]);
      }
    }
    paths = longer;
  }
  return null;
}

/** Exports that no other file imports: dead code, or an interface that is wider than its use. */
function unusedExports(workspace: Workspace): Violation[] {
  const taken = takenNames(workspace);
  const files = workspace.projects.flatMap((project) => project.files);
  return files
    .filter(({ path }) => !PUBLIC.test(path) && !CONFIG.test(path))
    .flatMap(({ path, exports }) =>
      exports
        .filter(({ name }) => taken.get(path)?.has(name) !== true && taken.get(path)?.has('*') !== true)
        .map(({ name, line, isUsedInside }) => ({
          file: path,
          line,
          message: isUsedInside
            ? `'${name}' is used in this file only; do not export it`
            : `'${name}' is exported, and nobody imports it`,
        })),
    );
}

/** What is imported from each file; `*` is everything, also for a file that is loaded by its path. */
function takenNames({ projects }: Workspace): Map<string, Set<string>> {
  const taken = new Map<string, Set<string>>();
  const take = (path: string, names: readonly string[] | null) => {
    const known = taken.get(path) ?? new Set<string>();
    for (const name of names ?? ['*']) known.add(name);
    taken.set(path, known);
  };
  const entries = entriesOf(projects);
  for (const file of projects.flatMap((project) => project.files)) {
    for (const { specifier, names } of file.imports) {
      const target = specifier.startsWith('.') ? join(dirname(file.path), specifier) : entries.get(specifier);
      if (target !== undefined) take(target, names);
    }
    for (const string of file.strings) {
      // A worker thread or process is started with the path of its file; an import says what it takes itself.
      const isImported = file.imports.some(({ specifier }) => specifier === string);
      if (FILE_BESIDE.test(string) && !isImported) take(join(dirname(file.path), string), null);
    }
  }
  return taken;
}

/** The file that a package's name, or a path its manifest exports, stands for. */
function entriesOf(projects: readonly Project[]): Map<string, string> {
  return new Map(
    projects.flatMap(({ folder, manifest }) =>
      Object.entries(manifest.exports ?? {}).map(([inner, target]): [string, string] => {
        const file = typeof target === 'string' ? target : String((target as { default: unknown }).default);
        return [join(manifest.name, inner), join(folder, file)];
      }),
    ),
  );
}
