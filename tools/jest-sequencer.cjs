const { relative, join } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const WORKSPACE = join(__dirname, '..');

/** Spec files that take a minute or more, the slowest first. Begun last, one of them would keep a whole run waiting. */
const SLOWEST = [
  'e2e/tests/browser-pages.spec.ts',
  'e2e/tests/limits.spec.ts',
  'e2e/tests/dedicated-memory.spec.ts',
  'e2e/tests/first-answer.spec.ts',
  'e2e/tests/revocation.spec.ts',
  'e2e/tests/sdks.spec.ts',
  'e2e/tests/hostile-tenant.spec.ts',
  'e2e/tests/isolation.spec.ts',
  'e2e/tests/revocation-faults.spec.ts',
  'e2e/tests/research-killed.spec.ts',
  'e2e/tests/backup.spec.ts',
  'e2e/tests/erasure.spec.ts',
  'apps/webhooks/tests/bench.spec.ts',
  'apps/memory/tests/moving-engines.spec.ts',
  'apps/memory/tests/erasing.spec.ts',
  'apps/research/tests/crawling.spec.ts',
  'apps/research/tests/people.spec.ts',
];

/** Jest's order, after the slowest: by the duration of an earlier run, or by size in a fresh clone. */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = SLOWEST.indexOf(relative(WORKSPACE, path));
      return place === -1 ? SLOWEST.length : place;
    };
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
