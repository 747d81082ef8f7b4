const { readFileSync } = require('node:fs');
const { relative, join } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const WORKSPACE = join(__dirname, '..', '..', '..');
/** What ../run/spec-seconds.ts writes: for a fresh clone, and of the runs in this checkout. */
const SECONDS = [join(__dirname, '..', 'run', 'spec-seconds.json'), join(WORKSPACE, '.nx', 'spec-seconds.json')];

/** The slowest first: begun last, one of them would keep a whole run waiting. The rest are in Jest's order, by size. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const seconds = Object.assign({}, ...SECONDS.map(read));
    const of = ({ path }) => seconds[relative(WORKSPACE, path)] ?? 0;
    return super.sort(tests).toSorted((a, b) => of(b) - of(a));
  }
};

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
