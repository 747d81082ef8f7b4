import type { Violation } from '../violation.ts';
import { lineInManifest, type Project, shippedDependencies } from './projects.ts';

/** Who may depend on whom, by tag: everything on libraries, nothing on an application. */
const MAY_DEPEND_ON: Record<string, string[]> = { app: ['lib'], lib: ['lib'], e2e: ['lib'], tool: ['lib'] };

/** Every project has one known tag and depends only on projects whose tag it may depend on. */
export function tagViolations(projects: Project[]): Violation[] {
  return projects.flatMap((project) => {
    const file = project.manifestFile.path;
    const tag = tagOf(project);
    if (tag === null) {
      const known = Object.keys(MAY_DEPEND_ON).join(', ');
      return [{ file, line: 1, message: `nx.tags has to hold exactly one of ${known}` }];
    }
    const wrong = dependenciesAmong(projects, project, true).filter(
      (target) => !MAY_DEPEND_ON[tag]?.includes(tagOf(target) ?? ''),
    );
    return wrong.map((target) => ({
      file,
      line: lineInManifest(project, target.manifest.name),
      message: `a project tagged ${tag} may not depend on '${target.manifest.name}', tagged ${tagOf(target)}`,
    }));
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
