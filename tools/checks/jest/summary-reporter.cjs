const { mkdirSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');

const WORKSPACE = join(__dirname, '..', '..', '..');

/** Leaves the results of a run's spec files where `npm test` reads them (../run/test-results.ts). */
module.exports = class JestSummaryReporter {
  onRunComplete(_contexts, results) {
    const summary = {
      specs: results.testResults.map(specResult),
      // Of a run that was cut off, by `--bail` for one. Whether Jest got to its end is said by libs/testing/src/jest/global-teardown.ts.
      notRun: results.numTotalTestSuites - results.testResults.length,
      ended: false,
    };
    const file = join(process.env.CAIRN_TEST_RESULTS_DIR, 'results.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(summary));
    process.env.CAIRN_TEST_RESULT_FILE = file;
  }
};

function specResult(file) {
  const failures = file.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ test: fullName, message: failureMessages.join('\n') }));
  // A spec file that does not even load counts as one failed test, or it would not count at all.
  if (file.testExecError) failures.push({ test: '(the file itself)', message: file.failureMessage ?? '' });
  return {
    file: relative(WORKSPACE, file.testFilePath),
    seconds: file.perfStats.runtime / 1_000,
    passed: file.numPassingTests,
    failed: failures.length,
    skipped: file.numPendingTests + file.numTodoTests,
    failures,
  };
}
