import { stripVTControlCharacters } from 'node:util';
import { type Report, statusOf } from './run-steps.ts';
import { type SpecResult, tierOf, totalOf } from './test-results.ts';

const SLOWEST_SHOWN = 15;
/** A log is often cut off at its start: failures are repeated at its end, in few lines. */
const FAILURES_SHOWN = 20;
const MESSAGE_LINES = 12;
const LINE_MAX_CHARS = 300;
/** A line of a stack that says nothing about the spec. */
const OF_A_LIBRARY = /^\s+at .*(?:\/node_modules\/|\(node:|at new Promise)/;

/** The end of the output of `npm test`: what failed, and why, comes last; the closing line counts the tests. */
export function summaryOf(reports: readonly Report[]): string {
  const lines = ['', '== summary', ...reports.map(rowOf)];
  if (reports.some(({ step }) => step.runsTests)) {
    const tests = reports.flatMap(({ outcome }) => outcome?.tests ?? []);
    const specs = tests.flatMap((outcome) => outcome.specs);
    lines.push(
      ...byTier(specs),
      ...slowest(specs),
      ...unstable(tests.flatMap((outcome) => outcome.unstable)),
      ...failed(specs),
      '',
      `Tests: ${totalOf(specs, 'passed')} passed, ${totalOf(specs, 'failed')} failed`,
    );
  }
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function rowOf(report: Report): string {
  const time = report.outcome === null ? '' : `${report.seconds.toFixed(1)} s`;
  return `${report.step.name.padEnd(14)}${statusOf(report).padEnd(9)}${time.padStart(8)}  ${report.outcome?.note ?? ''}`;
}

function byTier(specs: readonly SpecResult[]): string[] {
  const rows = [...Map.groupBy(specs, ({ file }) => tierOf(file))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    '',
    'Seconds by tier, of all spec files together:',
    ...rows.map(([tier, files]) => {
      const seconds = files.reduce((sum, file) => sum + file.seconds, 0);
      return `${seconds.toFixed(0).padStart(6)} s  ${tier}: ${files.length} files, ${totalOf(files, 'passed')} passed`;
    }),
  ];
}

function slowest(specs: readonly SpecResult[]): string[] {
  const shown = specs.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  return [
    '',
    'Slowest spec files:',
    ...shown.map(({ file, seconds }) => `${seconds.toFixed(0).padStart(6)} s  ${file}`),
  ];
}

function unstable(specs: readonly SpecResult[]): string[] {
  if (specs.length === 0) return [];
  return [
    '',
    '!! UNSTABLE: these failed beside the others and passed when run again alone. Repair them.',
    ...failuresOf(specs),
  ];
}

function failed(specs: readonly SpecResult[]): string[] {
  const failing = specs.filter((spec) => spec.failed > 0);
  return failing.length === 0 ? [] : ['', '!! FAILED:', ...failuresOf(failing)];
}

function failuresOf(specs: readonly SpecResult[]): string[] {
  const all = specs.flatMap(({ file, failures }) => failures.map((failure) => ({ file, ...failure })));
  const shown = all.slice(0, FAILURES_SHOWN).flatMap(({ file, test, message }) => {
    const lines = stripVTControlCharacters(message).trim().split('\n');
    const text = lines.filter((line) => !OF_A_LIBRARY.test(line)).slice(0, MESSAGE_LINES);
    return [`${file} › ${test}`, ...text.map((line) => `    ${line.slice(0, LINE_MAX_CHARS)}`)];
  });
  const left = all.length - FAILURES_SHOWN;
  return left > 0 ? [...shown, `and ${left} more failed tests`] : shown;
}
