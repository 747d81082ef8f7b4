const { TestEnvironment } = require('jest-environment-node');

/** Where packages, and libs/testing, keep on the global object what serves all spec files. */
const KEPT_SYMBOLS = /^(?:undici|cairn)\./;

/**
 * Time-outs of specs and hooks are those of a machine that has its two cores to itself. Bounds that are promises are in
 * the specs' own expectations, so more patience makes no spec pass that should fail.
 */
const PATIENCE = 3;

/** The one environment of this worker, and its global object as it was before the first spec file. */
let shared = null;
/** Hooks and specs whose time-out is the patient one already; a hook runs often. */
const patient = new WeakSet();

/**
 * Node's environment, made once in each worker: the packages that jest-runtime.cjs keeps between spec files belong to
 * its context. What a file changed of the global object, the environment variables or the clock is undone after it.
 */
module.exports = class SharedEnvironment {
  constructor(config, context) {
    shared ??= pristine(new TestEnvironment(config, context));
    Object.assign(this, shared.fields);
  }

  async setup() {}

  async teardown() {
    shared.fields.fakeTimers.useRealTimers();
    shared.fields.fakeTimersModern.useRealTimers();
    shared.restore();
    for (const name of Object.keys(shared.fields)) this[name] = null;
  }

  handleTestEvent({ name, hook, test }) {
    const started = name === 'hook_start' ? hook : name === 'test_fn_start' ? test : undefined;
    if (typeof started?.timeout !== 'number' || patient.has(started)) return;
    patient.add(started);
    started.timeout *= PATIENCE;
  }

  exportConditions() {
    return shared.base.exportConditions();
  }

  getVmContext() {
    return this.context;
  }
};

function pristine(base) {
  const { global, context, moduleMocker, fakeTimers, fakeTimersModern } = base;
  const properties = new Map(Reflect.ownKeys(global).map((key) => [key, Object.getOwnPropertyDescriptor(global, key)]));
  const { exit, env } = global.process;
  const variables = { ...env };
  return {
    base,
    fields: { global, context, moduleMocker, fakeTimers, fakeTimersModern },
    restore() {
      for (const key of Reflect.ownKeys(global)) if (!properties.has(key) && !isKept(key)) delete global[key];
      for (const [key, property] of properties) {
        const now = Object.getOwnPropertyDescriptor(global, key);
        // Node's lazy properties become values when they are read.
        if ('value' in property && now?.value !== property.value) Object.defineProperty(global, key, property);
      }
      global.process.exit = exit;
      for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
      Object.assign(env, variables);
    },
  };
}

function isKept(key) {
  return typeof key === 'symbol' && KEPT_SYMBOLS.test(key.description ?? '');
}
