const { globSync, readFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

/** Every package of the workspace is a project; one with spec files has a `test` target. No project.json anywhere. */
module.exports = {
  name: 'cairn',
  createNodes: [
    '{{apps,libs,sdk/adapters}/*,e2e,sdk,tools}/package.json',
    (manifests, _options, { workspaceRoot }) =>
      manifests.map((manifest) => [manifest, { projects: projectOf(manifest, manifests, workspaceRoot) }]),
  ],
};

function projectOf(manifest, manifests, workspaceRoot) {
  const root = dirname(manifest);
  const { name, nx } = JSON.parse(readFileSync(join(workspaceRoot, manifest), 'utf8'));
  // The adapters lie in the folder of the SDK.
  const nested = manifests.map(dirname).filter((other) => other.startsWith(`${root}/`));
  const exclude = ['**/node_modules', ...nested.map((other) => relative(root, other))];
  const specs = globSync('**/*.spec.ts', { cwd: join(workspaceRoot, root), exclude });
  const targets = specs.length === 0 ? {} : { test: testTarget(root, nested) };
  return { [root]: { name, root, tags: nx?.tags ?? [], targets } };
}

function testTarget(root, nested) {
  const ignored = nested.length === 0 ? '' : ` --testPathIgnorePatterns /node_modules/ ${nested.join(' ')}`;
  return {
    executor: 'nx:run-commands',
    options: { command: `jest --config jest.config.ts --rootDir ${root}${ignored}`, cwd: '{workspaceRoot}' },
    outputs: [],
    // End-to-end specs meet a clock, ports and processes; an answer of yesterday proves nothing.
    cache: root !== 'e2e',
    inputs: ['default', '^default', 'sharedGlobals'],
  };
}
