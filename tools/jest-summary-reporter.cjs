const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const WORKSPACE = join(__dirname, '..');

/** Leaves the counts and times of one project where Nx caches them and `npm test` adds them up. */
module.exports = class JestSummaryReporter {
  constructor({ rootDir }) {
    const project = relative(WORKSPACE, rootDir).replaceAll('/', '-');
    this.file = join(WORKSPACE, '.nx', 'test-results', `${project}.json`);
  }

  onRunComplete(_contexts, results) {
    const summary = {
      startedAt: results.startTime,
      passed: results.numPassedTests,
      // A spec file that does not even load counts as one failed test, or it would not count at all.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      specs: results.testResults.map(({ testFilePath, perfStats }) => ({
        file: relative(WORKSPACE, testFilePath),
        seconds: perfStats.runtime / 1_000,
      })),
    };
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, JSON.stringify(summary));
  }
};
