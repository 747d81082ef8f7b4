const { globSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

/** Every package of the workspace is a project; one with spec files has a `test` target. No project.json anywhere. */
module.exports = {
  name: 'cairn',
  createNodes: [
    '{{apps,libs,adapters}/*,e2e,sdk,tools}/package.json',
    (manifests, _options, { workspaceRoot }) =>
      manifests.map((manifest) => [manifest, { projects: projectOf(manifest, workspaceRoot) }]),
  ],
};

function projectOf(manifest, workspaceRoot) {
  const root = dirname(manifest);
  const { name, nx } = JSON.parse(readFileSync(join(workspaceRoot, manifest), 'utf8'));
  const specs = globSync('**/*.spec.ts', { cwd: join(workspaceRoot, root), exclude: ['**/node_modules'] });
  const targets = specs.length === 0 ? {} : { test: testTarget(root) };
  return { [root]: { name, root, tags: nx?.tags ?? [], targets } };
}

function testTarget(root) {
  return {
    executor: 'nx:run-commands',
    options: { command: `jest --config jest.config.ts --rootDir ${root}`, cwd: '{workspaceRoot}' },
    outputs: [],
    // End-to-end specs meet a clock, ports and processes; an answer of yesterday proves nothing.
    cache: root !== 'e2e',
    inputs: ['default', '^default', 'sharedGlobals'],
  };
}
