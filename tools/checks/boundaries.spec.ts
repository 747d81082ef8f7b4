import { afterAll, describe, expect, it } from '@jest/globals';
import { boundaryViolations } from './boundaries.ts';
import { createTestRepository, removeTestRepositories } from './tests/test-repository.ts';

afterAll(removeTestRepositories);

function manifest(name: string, tag: string, parts: object = {}): string {
  return JSON.stringify(
    { name: `@cairn/${name}`, exports: { '.': './src/index.ts' }, ...parts, nx: { tags: [tag] } },
    null,
    1,
  );
}

const CLEAN = {
  'package.json': JSON.stringify({ name: 'cairn', devDependencies: { jest: '1', '@jest/globals': '1' } }),
  'apps/keys/package.json': manifest('keys', 'app', { dependencies: { '@cairn/errors': '*', '@types/express': '5' } }),
  'apps/keys/src/main.ts':
    "import { join } from 'node:path';\nimport { CairnError } from '@cairn/errors';\nimport type { Request } from 'express';\nimport { text } from './own.ts';\n",
  'apps/keys/src/own.ts': "// import x from 'not-really';\nexport const text = `import y from 'neither'`;\n",
  'apps/keys/src/own.spec.ts': "import { it } from '@jest/globals';\nimport './own.ts';\n",
  'libs/errors/package.json': manifest('errors', 'lib', {
    dependencies: { pg: '8' },
    devDependencies: { '@cairn/testing': '*' },
  }),
  'libs/errors/src/index.ts': "export { Client } from 'pg';\n",
  'libs/errors/src/index.spec.ts': "import type { Connected } from '@cairn/testing';\n",
  'libs/testing/package.json': manifest('testing', 'lib', { dependencies: { '@cairn/errors': '*' } }),
  'libs/testing/src/index.ts': "export type Connected = import('@cairn/errors').Client;\n",
  'tools/package.json': manifest('tools', 'tool', { dependencies: { '@cairn/testing': '*' } }),
  'tools/checks/main.ts': "const testing = await import('@cairn/testing');\nimport type { Config } from 'jest';\n",
};

/** What is found when these files are added to the clean repository, or replace some of it. */
function violations(files: Record<string, string>): string[] {
  return boundaryViolations(createTestRepository({ ...CLEAN, ...files }), { cycles: null, exports: null }).map(
    ({ file, line, message }) => `${file}:${line}: ${message}`,
  );
}

describe('boundaries', () => {
  it('let a clean repository pass', () => {
    expect(violations({})).toEqual([]);
  });

  it.each([
    ['an application', 'apps/keys', 'app', '@cairn/gateway'],
    ['a library', 'libs/errors', 'lib', '@cairn/gateway'],
    ['the end-to-end project', 'e2e', 'e2e', '@cairn/gateway'],
  ])('keep %s from depending on an application', (_, folder, tag, target) => {
    const found = violations({
      'apps/gateway/package.json': manifest('gateway', 'app'),
      [`${folder}/package.json`]: manifest('dependant', tag, { dependencies: { [target]: '*' } }),
    });
    expect(found).toContain(
      `${folder}/package.json:7: a project tagged ${tag} may not depend on '${target}', tagged app`,
    );
  });

  it('keep the console from every package of the workspace but the SDK', () => {
    const found = violations({
      'sdk/package.json': manifest('sdk', 'lib'),
      'apps/console/package.json': manifest('console', 'app', {
        dependencies: { '@cairn/sdk': '*', '@cairn/errors': '*' },
      }),
      'apps/console/src/main.tsx':
        "import '@cairn/sdk';\nimport '@cairn/errors';\nconst page = <main className=\"x\" />;\n",
    });
    expect(found).toEqual([
      'apps/console/package.json:8: apps/console uses @cairn/sdk, @cairn/pages and no other package of the workspace',
    ]);
  });

  it('read files with elements as well', () => {
    const found = violations({ 'apps/keys/src/page.tsx': "import { x } from 'zod';\nconst page = <b>{x}</b>;\n" });
    expect(found).toEqual(["apps/keys/src/page.tsx:1: 'zod' is not declared in apps/keys/package.json"]);
  });

  it.each(['[]', '["app", "lib"]', '["service"]'])('want exactly one known tag, not %s', (tags) => {
    const found = violations({ 'libs/new/package.json': `{ "name": "@cairn/new", "nx": { "tags": ${tags} } }` });
    expect(found).toEqual(['libs/new/package.json:1: nx.tags has to hold exactly one of app, lib, e2e, tool']);
  });

  it.each([
    ['an import', "import { x } from 'zod/v4';"],
    ['a type import', "import type { X } from 'zod';"],
    ['a side-effect import', "import 'zod';"],
    ['a re-export', "export { x as default } from 'zod';"],
    ['a dynamic import', "const zod = await import('zod');"],
    ['an import type', "type X = import('zod').X;"],
    ['a require', "const zod = require('zod');"],
  ])('find a package that is not declared in %s', (_, statement) => {
    const found = violations({ 'apps/keys/src/planted.ts': `// é\n\n${statement}\n` });
    expect(found).toEqual(["apps/keys/src/planted.ts:3: 'zod' is not declared in apps/keys/package.json"]);
  });

  it('take types for a type import only', () => {
    const found = violations({ 'apps/keys/src/planted.ts': "import express from 'express';\n" });
    expect(found).toEqual(["apps/keys/src/planted.ts:1: 'express' is not declared in apps/keys/package.json"]);
  });

  it.each([
    ["import 'jest';", "'jest' is not declared in libs/errors/package.json"],
    ["import '@cairn/testing';", "'@cairn/testing' is not declared in libs/errors/package.json"],
  ])('let only tests use development dependencies: %s', (statement, message) => {
    const found = violations({ 'libs/errors/src/planted.ts': statement, 'libs/errors/tests/planted.ts': statement });
    expect(found).toEqual([`libs/errors/src/planted.ts:1: ${message}`]);
  });

  it('keep relative imports inside the project', () => {
    const found = violations({ 'apps/keys/src/planted.ts': "import '../../../libs/errors/src/index.ts';\n" });
    expect(found).toEqual([
      "apps/keys/src/planted.ts:1: '../../../libs/errors/src/index.ts' leaves the project; import the package by its name",
    ]);
  });

  it('let the lab import the sources of every project that the tools declare', () => {
    const found = violations({
      'tools/package.json': manifest('tools', 'tool', { dependencies: { '@cairn/testing': '*', '@cairn/keys': '*' } }),
      'tools/lab/load.ts': "import '../../apps/keys/src/own.ts';\nimport '../../libs/errors/src/index.ts';\n",
    });
    expect(found).toEqual(["tools/lab/load.ts:2: '@cairn/errors' is not declared in tools/package.json"]);
  });

  it('keep the lab out of what runs in production and of the other tools', () => {
    const found = violations({
      'tools/lab/load.ts': 'void 0;\n',
      'apps/keys/src/planted.ts': "import '../../../tools/lab/load.ts';\n",
      'tools/checks/planted.ts': "import '../lab/load.ts';\nimport '../../apps/keys/src/own.ts';\n",
    });
    expect(found).toEqual([
      "apps/keys/src/planted.ts:1: '../../../tools/lab/load.ts' is in the lab, which nothing outside of it imports",
      "tools/checks/planted.ts:1: '../lab/load.ts' is in the lab, which nothing outside of it imports",
      "tools/checks/planted.ts:2: '../../apps/keys/src/own.ts' leaves the project; import the package by its name",
    ]);
  });

  it('count the adapters as projects of their own, although they lie in the folder of the SDK', () => {
    const found = violations({
      'sdk/package.json': manifest('sdk', 'lib'),
      'sdk/src/index.ts': "import '../adapters/ai-sdk/src/index.ts';\n",
      'sdk/adapters/ai-sdk/package.json': manifest('ai-sdk', 'lib'),
      'sdk/adapters/ai-sdk/src/index.ts': "import 'zod';\n",
    });
    expect(found).toEqual([
      "sdk/adapters/ai-sdk/src/index.ts:1: 'zod' is not declared in sdk/adapters/ai-sdk/package.json",
      "sdk/src/index.ts:1: '../adapters/ai-sdk/src/index.ts' leaves the project; import the package by its name",
    ]);
  });

  it('keep inner paths of a package inside it', () => {
    const found = violations({ 'apps/keys/src/planted.ts': "import '@cairn/errors/src/codes.ts';\n" });
    expect(found).toEqual([
      "apps/keys/src/planted.ts:1: '@cairn/errors/src/codes.ts' is an inner path of @cairn/errors; import what it exports",
    ]);
  });

  it('find a cycle once, though not one through a development dependency', () => {
    const found = violations({
      'libs/a/package.json': manifest('a', 'lib', { dependencies: { '@cairn/b': '*' } }),
      'libs/a/src/index.ts': "import '@cairn/b';\n",
      'libs/b/package.json': manifest('b', 'lib', { dependencies: { '@cairn/a': '*' } }),
      'libs/b/src/index.ts': "import '@cairn/a';\n",
    });
    expect(found).toEqual(['libs/b/package.json:7: dependency cycle: @cairn/a → @cairn/b → @cairn/a']);
  });

  it('find a cycle of files, also one of types alone', () => {
    const found = violations({
      'apps/keys/src/a.ts': "import type { B } from './b.ts';\nexport type A = B;\n",
      'apps/keys/src/b.ts': "import type { A } from './a.ts';\nexport type B = A;\n",
    });
    expect(found).toEqual(['apps/keys/src/b.ts:1: import cycle in apps/keys/src: a.ts → b.ts → a.ts']);
  });

  it('find a cycle of folders whose files form none, but not one that a spec closes', () => {
    const found = violations({
      'apps/keys/src/read/get.ts': "import '../write/format.ts';\n",
      'apps/keys/src/write/put.ts': "import '../read/parse.ts';\n",
      'apps/keys/src/write/format.ts': '',
      'apps/keys/src/read/parse.ts': '',
      'apps/keys/src/put.spec.ts': "import './write/put.ts';\nimport '../tests/harness.ts';\n",
      'apps/keys/tests/harness.ts': "import '../src/main.ts';\n",
    });
    expect(found).toEqual(['apps/keys/src/write/put.ts:1: import cycle in apps/keys/src: read → write → read']);
  });

  it('find an export that nobody imports, unless its file is loaded by its path', () => {
    const found = violations({
      'apps/keys/src/planted.ts':
        'export const used = 1;\nexport const dead = 2;\nexport const inner = used + 1;\nused + inner;\n',
      'apps/keys/src/start.ts': "import { used } from './planted.ts';\nnew Worker(join(folder, 'thread.ts'));\n",
      'apps/keys/src/thread.ts': 'export const task = () => 1;\n',
      'apps/keys/src/config.ts': 'export const variables = {};\n',
    });
    expect(found).toEqual([
      "apps/keys/src/planted.ts:2: 'dead' is exported, and nobody imports it",
      "apps/keys/src/planted.ts:3: 'inner' is used in this file only; do not export it",
    ]);
  });

  it('find an export of a package that no other project imports', () => {
    const found = violations({ 'libs/errors/src/index.ts': "export { Client, Pool } from 'pg';\n" });
    expect(found).toEqual(["libs/errors/src/index.ts:1: 'Pool' is exported, and nobody imports it"]);
  });

  it('find a declared package that nothing imports, unless it is named in a string', () => {
    const dependencies = { '@cairn/errors': '*', '@types/express': '5', 'lru-cache': '11', 'swagger-ui-dist': '5' };
    const found = violations({
      'apps/keys/package.json': manifest('keys', 'app', { dependencies }),
      'apps/keys/src/pages.ts': "const page = require.resolve('swagger-ui-dist/package.json');\n",
    });
    expect(found).toEqual(["apps/keys/package.json:9: 'lru-cache' is declared and never imported"]);
  });

  it.each([
    ["import { Agent } from 'undici';", 'Agent'],
    ["import * as http from 'node:http';", 'http'],
    ["import { request as send } from 'node:https';", 'send'],
    ["import { connect } from 'node:net';", 'connect'],
    ["import { Socket } from 'node:net';\nnew Socket().connect(80, 'a.example');", 'Socket'],
    ["import WebSocket from 'ws';", 'WebSocket'],
    ["const { fetch: send } = await import('undici');", "import('undici')"],
    ["await fetch('https://a.example');", 'fetch'],
    ['const send = globalThis.fetch;', 'fetch'],
    ['export const client = { fetch };', 'fetch'],
    ["new EventSource('https://a.example');", 'EventSource'],
  ])('keep product code from connecting past the outlet: %s', (source, name) => {
    const found = violations({ 'apps/keys/src/leak.ts': `${source}\nexport {};\n` });
    expect(found.filter((line) => line.includes('libs/outbound'))).toEqual([
      expect.stringContaining(`'${name}' opens connections past libs/outbound`),
    ]);
  });

  it('let product code name what opens no connection, and specs connect', () => {
    const found = violations({
      'apps/keys/src/fine.ts':
        "import { createServer, type IncomingMessage } from 'node:http';\nimport { isIP, Socket } from 'node:net';\nimport type { Agent } from 'undici';\nexport const listen = (a: { fetch: typeof fetch }, b: Agent, c: IncomingMessage) => [createServer(), isIP(''), a.fetch('x'), b, c instanceof Socket];\n",
      'apps/keys/src/fine.spec.ts': "await fetch('https://a.example');\nexport {};\n",
    });
    expect(found.filter((line) => line.includes('libs/outbound'))).toEqual([]);
  });

  it('take no exception that is not needed', () => {
    expect(violations({ 'apps/gateway/src/readiness.ts': 'export const ready = true;\n' })).toContain(
      'apps/gateway/src/readiness.ts:1: opens no connection; take it off the list in outlet-rules.ts',
    );
  });

  it.each([
    [
      'export function splitSentences(): void {}',
      "'splitSentences' is private here; libs/language has the one home of sentences",
    ],
    ['function stemOf(): void {}\nstemOf();', "'stemOf' is private here; libs/language has the one home of stems"],
    [
      "const STOP_WORDS = new Set(['the']);\nSTOP_WORDS.size;",
      "'STOP_WORDS' is private here; libs/language has the one home of stop words",
    ],
    [
      'interface Word {\n  text: string;\n}\nexport type One = Word;',
      "'Word' is private here; libs/language has the one home of words and sentences",
    ],
    ["new Intl.Segmenter('en', { granularity: 'sentence' });", 'libs/language has the one home of sentences'],
    ["import { stemmer } from '@orama/stemmers/english';", 'libs/language has the one home of stems and stop words'],
  ])('fail for product code that has a primitive of language of its own: %s', (source, message) => {
    const found = violations({ 'apps/keys/src/planted.ts': `${source}\nexport {};\n` });
    expect(found).toContain(`apps/keys/src/planted.ts:1: ${message}`);
  });

  it('let libs/language, specs and the names inside of a function have the names of primitives', () => {
    const found = violations({
      'libs/language/package.json': manifest('language', 'lib'),
      'libs/language/src/index.ts': 'const STOP_WORDS = 1;\nSTOP_WORDS.toFixed();\n',
      'apps/keys/src/fine.ts': 'export const shorten = (word: string) => {\n  const stem = word;\n  return stem;\n};\n',
      'apps/keys/src/fine.spec.ts': "const MONTHS = ['may'];\nMONTHS.join();\n",
    });
    expect(found.filter((line) => line.includes('the one home'))).toEqual([]);
  });

  it('take no exception for a primitive of language that is not needed', () => {
    expect(violations({ 'libs/reading/src/tree/lemmas.ts': 'export const lemma = 1;\n' })).toContain(
      "libs/reading/src/tree/lemmas.ts:1: declares no 'stem'; take it off the list in primitive-rules.ts",
    );
  });
});
