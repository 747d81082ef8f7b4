import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from 'jest';

// Packages that ship ES modules only; Jest runs CommonJS, so they are transpiled like our own sources.
const ESM_ONLY = [
  '@ai-sdk/[^/]+',
  '@workflow/serde',
  'ai',
  '@secretlint/core',
  '@secretlint/profiler',
  '@secretlint/secretlint-rule-preset-recommend',
  '@secretlint/types',
  '@tokenizer/inflate',
  'file-type',
  'postal-mime',
  'strtok3',
  'structured-source',
  'token-types',
  'uint8array-extras',
  'unpdf',
  'ccount',
  'cockatiel',
  'cookie',
  'character-entities',
  'commander',
  'decode-named-character-reference',
  'devlop',
  'escape-string-regexp',
  'eventsource-parser',
  'http-proxy-middleware',
  'httpxy',
  'is-plain-obj',
  'jose',
  'longest-streak',
  'markdown-it',
  'markdown-table',
  'marked',
  'mdast-util-[^/]+',
  'micromark[^/]*',
  'oxc-parser',
  'oauth4webapi',
  'openid-client',
  'unist-util-[^/]+',
  'uuid',
  'zod',
  'zwitch',
];

// CommonJS that imports Node's modules when it needs them, which Jest refuses unless it is transpiled.
const WITH_DYNAMIC_IMPORTS = ['@opentelemetry/otlp-exporter-base'];

const SETUP = join(import.meta.dirname, 'libs', 'testing', 'src', 'jest', 'global-setup.ts');
const TEARDOWN = join(import.meta.dirname, 'libs', 'testing', 'src', 'jest', 'global-teardown.ts');

/** Set by Nx, which runs several projects beside each other: one worker is enough for each. */
const NX_PROJECT = process.env['NX_TASK_TARGET_PROJECT'];
/** Set by `npm test`, which adds up the results. */
const RESULTS_DIR = process.env['CAIRN_TEST_RESULTS_DIR'];
const SUMMARY = join(import.meta.dirname, 'tools', 'checks', 'jest', 'summary-reporter.cjs');

/** A worker that holds more than this after a spec file is replaced. */
const WORKER_MEMORY_MAX = '2GB';

/** One configuration for every project; `--rootDir` says which one runs. */
const config: Config = {
  testEnvironment: join(import.meta.dirname, 'tools', 'checks', 'jest', 'environment.cjs'),
  runtime: join(import.meta.dirname, 'tools', 'checks', 'jest', 'runtime.cjs'),
  testMatch: ['<rootDir>/**/*.spec.ts'],
  transform: {
    '\\.[cm]?[jt]s$': [
      join(import.meta.dirname, 'tools', 'checks', 'jest', 'transform.cjs'),
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${[...ESM_ONLY, ...WITH_DYNAMIC_IMPORTS].join('|')})/)`],
  ...(existsSync(SETUP) ? { globalSetup: SETUP } : {}),
  ...(existsSync(TEARDOWN) ? { globalTeardown: TEARDOWN } : {}),
  testTimeout: 180_000,
  // A suite whose set-up failed may leave servers open; the run must still end and say so.
  forceExit: NX_PROJECT !== undefined,
  testSequencer: join(import.meta.dirname, 'tools', 'checks', 'jest', 'sequencer.cjs'),
  reporters: RESULTS_DIR === undefined ? ['default'] : ['default', SUMMARY],
  maxWorkers: NX_PROJECT === undefined ? 2 : 1,
  // What spec files leave behind in a worker adds up.
  workerIdleMemoryLimit: WORKER_MEMORY_MAX,
};

export default config;
