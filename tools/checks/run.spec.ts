import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Report } from './run/run-steps.ts';
import { testOutcome } from './run/steps.ts';
import { runFailedAgain, runSpecFile, UNSTABLE_MAX } from './run/second-run.ts';
import { summaryOf } from './run/summary.ts';
import { runCommand } from './run/run-command.ts';
import { faultOf, readJestResult, type SpecResult, tierOf } from './run/test-results.ts';
import { createTestRepository, removeTestRepositories } from './tests/test-repository.ts';

const FAILING = `it('passes', () => undefined);
  it('fails', () => expect('measured').toBe('expected'));`;
/** Fails the first time that it is run, as a spec does that met a busy machine. */
const FAILING_ONCE = `
  import { existsSync, writeFileSync } from 'node:fs';
  it('always passes', () => undefined);
  it('passes the second time', () => {
    const isFirst = !existsSync(__dirname + '/ran');
    writeFileSync(__dirname + '/ran', '');
    if (isFirst) throw new Error('the machine was busy');
  });`;

/** Of a run in which some spec files failed. */
const FIRST_RUN = { exitedOk: false, stoppedAfterMinutes: null, silent: [], fault: null };

let root: string;
const run = (name: string) =>
  runSpecFile(join(root, name), { signal: new AbortController().signal, env: { FORCE_COLOR: '1' } });

beforeAll(() => {
  root = createTestRepository({
    'once.spec.ts': FAILING_ONCE,
    'always.spec.ts': FAILING,
    'broken.spec.ts': `import './absent.ts';`,
    'hanging.spec.ts': `it('hangs', () => new Promise(() => setInterval(() => undefined, 1_000)));`,
  });
});
afterAll(removeTestRepositories);

describe('a spec file that failed', () => {
  it('and passes alone is unstable and passed; one that fails again, or does not load, has failed; the end of the summary names all', async () => {
    const first = [(await run('once.spec.ts'))!, (await run('always.spec.ts'))!, (await run('broken.spec.ts'))!];
    expect(first.map(({ passed, failed }) => [passed, failed])).toEqual([
      [1, 1],
      [1, 1],
      [0, 1],
    ]);
    const { specs, unstable } = await runFailedAgain(first, UNSTABLE_MAX, (file) => run(basename(file)));
    expect(unstable).toEqual([first[0]]);
    expect(specs.map(({ passed, failed }) => [passed, failed])).toEqual([
      [2, 0],
      [1, 1],
      [0, 1],
    ]);

    const lines = summaryOf([reportOf(specs, unstable)]).split('\n');
    const place = (text: string) => lines.findIndex((line) => line.includes(text));
    const order = [
      'UNSTABLE',
      'once.spec.ts › passes the second time',
      'the machine was busy',
      'FAILED:',
      'always.spec.ts › fails',
      'Received: "measured"',
      'broken.spec.ts › (the file itself)',
      'absent.ts',
    ].map(place);
    expect(order.every((line, index) => line > (order[index - 1] ?? 0))).toBe(true);
    expect(lines.slice(-3)).toEqual(['', 'Tests: 3 passed, 2 failed', '']);
    for (const text of ['\u001b', 'node_modules']) expect(lines.join('')).not.toContain(text);
  }, 120_000);

  it('is not run again, and has failed, when it leaves no result or when there are too many of them', async () => {
    const failed = specResult('a.spec.ts', 1);
    expect(await runFailedAgain([failed], UNSTABLE_MAX, () => Promise.resolve(null))).toEqual({
      specs: [failed],
      unstable: [],
    });
    const skipped = { ...failed, failed: 0, passed: 0 };
    expect((await runFailedAgain([failed], UNSTABLE_MAX, () => Promise.resolve(skipped))).unstable).toEqual([]);
    const fewer = { ...failed, failed: 0, passed: 1 };
    const ofThree = { ...failed, passed: 2 };
    expect((await runFailedAgain([ofThree], UNSTABLE_MAX, () => Promise.resolve(fewer))).unstable).toEqual([]);
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => specResult(`${name}.spec.ts`, 1));
    const refuse = () => Promise.reject(new Error('run again'));
    expect(await runFailedAgain(many, UNSTABLE_MAX, refuse)).toEqual({ specs: many, unstable: [] });
  });
});

describe('a spec file that hangs', () => {
  it('is stopped when its time is over, and has no result', async () => {
    const options = { signal: new AbortController().signal, env: {} };
    const started = performance.now();
    expect(await runSpecFile(join(root, 'hanging.spec.ts'), options, 4_000)).toBeNull();
    expect(performance.now() - started).toBeLessThan(30_000);
  }, 60_000);
});

describe('the result of a run of Jest', () => {
  const TWO = { 'once.spec.ts': FAILING_ONCE, 'other.spec.ts': `it('passes', () => undefined);` };
  const faultIn = async (files: Record<string, string>, ...args: string[]) => {
    const folder = createTestRepository(files);
    const results = join(folder, 'results');
    await runCommand('jest', ['--config', 'jest.config.ts', '--rootDir', folder, '--runInBand', ...args], {
      signal: new AbortController().signal,
      env: { CAIRN_TEST_RESULTS_DIR: results },
    });
    return faultOf(readJestResult(results));
  };

  it('tells a spec file that failed from a run that was cut off, and from one that failed after its spec files', async () => {
    expect(await faultIn(TWO)).toBeNull();
    expect(await faultIn({ 'a.spec.ts': FAILING, ...TWO }, '--bail')).toBe('2 spec files were not run');
    const failing = 'module.exports = () => Promise.reject(new Error("the engines do not stop"));';
    const teardown = join(createTestRepository({ 'teardown.js': failing }), 'teardown.js');
    expect(await faultIn(TWO, '--globalTeardown', teardown)).toBe('Jest did not get to its end');
  }, 120_000);
});

describe('a step that ran specs', () => {
  const passed = { ...specResult('a.spec.ts', 0), passed: 2 };
  const run = { ...FIRST_RUN, specs: [passed], unstable: [] };

  it('succeeds when all passed in the end, and not when Jest failed for another reason, a file is silent or it was stopped', () => {
    expect(testOutcome({ ...run, exitedOk: true })).toMatchObject({ ok: true, note: '2 passed, 0 failed' });
    expect(testOutcome(run)).toMatchObject({ ok: false, note: '2 passed, 0 failed, but the command failed' });
    expect(testOutcome({ ...run, exitedOk: true, silent: ['b.spec.ts'] }).ok).toBe(false);
    expect(testOutcome({ ...run, exitedOk: true, stoppedAfterMinutes: 30 }).ok).toBe(false);
    expect(testOutcome({ ...run, exitedOk: true, specs: [] }).ok).toBe(false);
    expect(testOutcome({ ...run, exitedOk: true, specs: [passed, specResult('b.spec.ts', 1)] }).ok).toBe(false);
  });

  it('is excused by unstable spec files for nothing but these', () => {
    const unstable = [specResult('apps/keys/tests/a.spec.ts', 1)];
    expect(testOutcome({ ...run, unstable })).toMatchObject({ ok: true });
    expect(testOutcome({ ...run, unstable, fault: '2 spec files were not run' })).toMatchObject({
      ok: false,
      note: '2 passed, 0 failed, unstable spec files: 1, but 2 spec files were not run',
    });
  });
});

describe('the tier of a spec file', () => {
  it.each([
    ['e2e/contract/keys.spec.ts', 'end-to-end'],
    ['apps/keys/tests/keys.spec.ts', 'integration'],
    ['libs/embedded/src/process/ports.spec.ts', 'integration'],
    ['libs/language/src/sentences.spec.ts', 'unit'],
  ])('of %s is %s', (file, tier) => {
    expect(tierOf(file)).toBe(tier);
  });
});

function specResult(file: string, failed: number): SpecResult {
  return { file, seconds: 1, passed: 0, failed, skipped: 0, failures: [{ test: 't', message: 'm' }] };
}

function reportOf(specs: SpecResult[], unstable: SpecResult[]): Report {
  const step = { name: 'specs', runsTests: true, run: () => Promise.reject(new Error('not run here')) };
  return { step, outcome: testOutcome({ ...FIRST_RUN, specs, unstable }), seconds: 1 };
}
