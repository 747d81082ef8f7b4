const { join, sep } = require('node:path');
const Runtime = require('jest-runtime').default;

/** Packages whose state would pass from one spec file to the next. */
const RELOADED = ['prom-client'].map((name) => `${sep}node_modules${sep}${name}${sep}`);

/** Libraries of ours without any state: schemas, and models that take long to load. */
const STATELESS = ['contracts', 'documents', 'errors', 'language', 'prose', 'reading', 'screening'].map(
  (name) => join(__dirname, '..', '..', '..', 'libs', name, 'src') + sep,
);

/** Kept modules by their path, loaded by the spec files that this worker has run. */
const kept = new Map();
let current = null;

/**
 * Jest's runtime, which loads the packages of node_modules once in a worker instead of once for each spec file: that
 * takes two thirds of the time of loading a service. So it does with our stateless libraries; our other modules are loaded
 * for each file, so that no file sees the state of another.
 */
class KeepingRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    current = this;
    const registry = this.registries.getActiveCjsRegistry();
    for (const [path, module] of kept) registry.set(path, module);
  }

  requireModuleOrMock(from, moduleName) {
    // A package may load a module only when it needs it, perhaps in a later file.
    if (this !== current && isKept(from)) return current.requireModuleOrMock(from, moduleName);
    return super.requireModuleOrMock(from, moduleName);
  }

  teardown() {
    for (const [path, module] of this.registries.getActiveCjsRegistry())
      if (isKept(path) && module.loaded) kept.set(path, module);
    super.teardown();
  }
}

function isKept(path) {
  if (path.includes(`${sep}node_modules${sep}`)) return !RELOADED.some((folder) => path.includes(folder));
  return STATELESS.some((folder) => path.startsWith(folder)) && !path.endsWith('.spec.ts');
}

module.exports = { __esModule: true, default: KeepingRuntime };
