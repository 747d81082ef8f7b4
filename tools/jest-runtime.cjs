const { sep } = require('node:path');
const Runtime = require('jest-runtime').default;

/** Packages whose state would pass from one spec file to the next. */
const RELOADED = ['prom-client'].map((name) => `${sep}node_modules${sep}${name}${sep}`);

/** Modules of packages by their path, loaded by the spec files that this worker has run. */
const kept = new Map();
let current = null;

/**
 * Jest's runtime, which loads the packages of node_modules once in a worker instead of once for each spec file: that
 * takes two thirds of the time of loading a service. Our own modules are loaded for each file, so that no file sees the
 * state of another.
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
    if (this !== current && isPackage(from)) return current.requireModuleOrMock(from, moduleName);
    return super.requireModuleOrMock(from, moduleName);
  }

  teardown() {
    for (const [path, module] of this.registries.getActiveCjsRegistry())
      if (isPackage(path) && module.loaded) kept.set(path, module);
    super.teardown();
  }
}

function isPackage(path) {
  return path.includes(`${sep}node_modules${sep}`) && !RELOADED.some((folder) => path.includes(folder));
}

module.exports = { __esModule: true, default: KeepingRuntime };
