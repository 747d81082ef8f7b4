import type { Violation } from '../violation.ts';
import { lineInManifest, type Project, shippedDependencies } from './projects.ts';

/** Who may depend on whom, by tag: everything on libraries; on an application the tools alone, which measure it. */
const MAY_DEPEND_ON: Record<string, string[]> = {
  app: ['lib'],
  lib: ['lib'],
  e2e: ['lib'],
  tool: ['lib', 'app', 'e2e'],
};

/**
 * Projects that may use these workspace packages and no other. What the console can do, a script can do; `pages` calls
 * nothing. The search index knows no language: its user hands the analyser in.
 */
const MAY_USE_ONLY: ReadonlyMap<string, readonly string[]> = new Map([
  ['apps/console', ['@cairn/sdk', '@cairn/pages']],
  ['libs/search-index', ['@cairn/background', '@cairn/postgres', '@cairn/testing']],
]);

/** Every project has one known tag and depends only on projects whose tag it may depend on. */
export function tagViolations(projects: Project[]): Violation[] {
  return projects.flatMap((project) => {
    const file = project.manifestFile.path;
    const tag = tagOf(project);
    if (tag === null) {
      const known = Object.keys(MAY_DEPEND_ON).join(', ');
      return [{ file, line: 1, message: `nx.tags has to hold exactly one of ${known}` }];
    }
    const targets = dependenciesAmong(projects, project, true);
    const only = MAY_USE_ONLY.get(project.folder);
    return targets.flatMap((target) => {
      const { name } = target.manifest;
      const line = lineInManifest(project, name);
      if (!MAY_DEPEND_ON[tag]?.includes(tagOf(target) ?? '')) {
        const message = `a project tagged ${tag} may not depend on '${name}', tagged ${tagOf(target)}`;
        return [{ file, line, message }];
      }
      if (only === undefined || only.includes(name)) return [];
      return [
        { file, line, message: `${project.folder} uses ${only.join(', ')} and no other package of the workspace` },
      ];
    });
  });
}

/**
 * Cycles among what is shipped. Development dependencies do not count: the specs of a library may use the test
 * harness that is built on that library.
 */
export function cycles(projects: Project[]): Violation[] {
  const found = new Map<string, Violation>();
  const follow = (path: Project[]): void => {
    const last = path.at(-1)!;
    for (const next of dependenciesAmong(projects, last, false)) {
      const start = path.indexOf(next);
      if (start === -1) follow([...path, next]);
      else {
        const ring = path.slice(start).map(({ manifest }) => manifest.name);
        const message = `dependency cycle: ${[...ring, next.manifest.name].join(' → ')}`;
        const line = lineInManifest(last, next.manifest.name);
        // The same ring is met from each of its members; the first one tells it.
        const key = ring.toSorted().join(' ');
        if (!found.has(key)) found.set(key, { file: last.manifestFile.path, line, message });
      }
    }
  };
  for (const project of projects) follow([project]);
  return [...found.values()];
}

function tagOf({ manifest }: Project): string | null {
  const [tag, ...others] = manifest.nx?.tags ?? [];
  return tag !== undefined && others.length === 0 && tag in MAY_DEPEND_ON ? tag : null;
}

function dependenciesAmong(projects: Project[], project: Project, development: boolean): Project[] {
  const names = shippedDependencies(project);
  if (development) names.push(...Object.keys(project.manifest.devDependencies ?? {}));
  return projects.filter(({ manifest }) => names.includes(manifest.name));
}
