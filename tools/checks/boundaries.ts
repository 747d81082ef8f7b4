import { join } from 'node:path';
import { outletViolations } from './boundaries/outlet-rules.ts';
import { readSourceFiles } from './source-files.ts';
import { importViolations, unusedDependencies } from './boundaries/import-rules.ts';
import { MODULE_RULES, moduleViolations } from './boundaries/module-rules.ts';
import { primitiveViolations } from './boundaries/primitive-rules.ts';
import { cycles, tagViolations } from './boundaries/project-rules.ts';
import { readWorkspace } from './boundaries/projects.ts';
import { report, type Violation } from './violation.ts';

/**
 * The boundaries of the house: what a project may depend on, that it declares what it imports, that its files import
 * each other in one direction and export what is imported, that nothing but libs/outbound connects to the outside, and
 * that the primitives of language have one home. Nx draws its graph, and so decides what a change affects, from the
 * declarations alone.
 */
export function boundaryViolations(root: string, moduleRules = MODULE_RULES): Violation[] {
  const workspace = readWorkspace(root);
  const files = readSourceFiles(root);
  return [
    ...tagViolations(workspace.projects),
    ...cycles(workspace.projects),
    ...workspace.projects.flatMap((project) => importViolations(project, workspace)),
    ...workspace.projects.flatMap((project) => unusedDependencies(project, workspace)),
    ...moduleViolations(workspace, moduleRules),
    ...outletViolations(files),
    ...primitiveViolations(files),
  ];
}

if (import.meta.main) {
  process.exitCode = report('boundaries', boundaryViolations(join(import.meta.dirname, '..', '..')));
}
