const { createTransformer } = require('@swc/jest');

// Node gives `import x from 'cjs'` the module itself; swc gives `undefined` when the module says `__esModule` and has
// no default (grpc-js). Tests have to see what production sees.
const SWC_DEFAULT = 'obj && obj.__esModule ? obj :';
const NODE_DEFAULT = "obj && obj.__esModule && 'default' in obj ? obj :";

/** @swc/jest, with Node's meaning of a default import. */
module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      ...swc,
      process(...source) {
        const result = swc.process(...source);
        return { ...result, code: result.code.replace(SWC_DEFAULT, NODE_DEFAULT) };
      },
      getCacheKey: (...source) => `${swc.getCacheKey(...source)}-node-default`,
    };
  },
};
