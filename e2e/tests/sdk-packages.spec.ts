import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pythonEnvironment, type SharedCairn, sharedCairn, temporaryFolder } from '@cairn/testing';
import { type NewTenant, operator } from './operator.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLIENT_MAX_BYTES = 8 * 1_024;
const python = pythonEnvironment(['httpx==0.28.1', 'hatchling==1.33.0', 'mypy==2.4.1']);
const inPython = python === null ? it.skip : it;
const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

/** Remembers a text through a tool, waits for it, and has the model of the README's function search it. */
const SCRIPTED_MODEL = `
import { cairnTools } from '@cairn/ai-sdk';
import { Cairn } from '@cairn/sdk';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { ask } from './example.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const calls = (toolName: string, input: object) => ({
  content: [{ type: 'tool-call' as const, toolCallId: toolName, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
  usage,
  warnings: [],
});
const ends = {
  content: [{ type: 'text' as const, text: 'done' }],
  finishReason: { unified: 'stop' as const, raw: undefined },
  usage,
  warnings: [],
};
const client = new Cairn({ baseUrl: process.env['CAIRN_BASE_URL'], apiKey: process.env['CAIRN_API_KEY'] });
const [memory] = await client.memories.list().all(1);
const { memory_id } = memory!;
const writer = new MockLanguageModelV4({ doGenerate: [calls('remember', { text: 'The kiln is fired on Mondays.' })] });
const tools = cairnTools({ client, memory: memory_id, writes: true });
const { toolResults } = await generateText({ model: writer, prompt: 'Remember it.', tools });
for (const result of toolResults)
  if (!result.dynamic && result.toolName === 'remember') await client.documents.wait([result.output.doc_id]);
const model = new MockLanguageModelV4({
  doGenerate: [calls('search_memory', { question: 'When is the kiln fired?' }), calls('list_documents', {}), ends],
});
await ask(model, memory_id, 'When is the kiln fired?');
console.log(JSON.stringify(model.doGenerateCalls.at(-1)!.prompt.at(-3)));
`;

let cairn: SharedCairn;
let env: Record<string, string | undefined>;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder('cairn-sdk-');
  cairn = await sharedCairn();
  const { api_key } = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Reader', '--plan', 'team');
  env = { ...process.env, CAIRN_BASE_URL: cairn.baseUrl, CAIRN_API_KEY: api_key };
}, 120_000);
afterAll(async () => {
  await cairn.remove();
  rmSync(folder, { recursive: true, force: true });
});

function run(cwd: string, command: string, ...args: string[]): string {
  try {
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`, { cause: error });
  }
}

/** The first example of a page in the language. */
function example(page: string, language: string): string {
  return new RegExp(`\`\`\`${language}(?: [a-z]+)?\\n([\\s\\S]*?)\`\`\``).exec(
    readFileSync(join(ROOT, page), 'utf8'),
  )![1]!;
}

/** The tarball of a package, made once. */
function packed(source: string): string {
  const into = join(folder, 'packed', source);
  const [made] = globSync('*.tgz', { cwd: into });
  if (made !== undefined) return join(into, made);
  return run(ROOT, process.execPath, 'tools/release/sdk/pack-typescript.ts', into, source).trim();
}

describe('a blank project', () => {
  it('that installs the npm package runs the lines of its README, checks their types, and requires it, too', () => {
    const blank = join(folder, 'blank');
    run(ROOT, 'mkdir', '-p', blank);
    writeFileSync(join(blank, 'package.json'), JSON.stringify({ name: 'blank', private: true, type: 'module' }));
    run(blank, 'npm', 'install', '--offline', '--no-audit', '--no-fund', packed('sdk'));
    writeFileSync(join(blank, 'example.ts'), example('sdk/README.md', 'ts'));
    const required =
      "const { Cairn } = require('@cairn/sdk');\nconst { verifyWebhook } = require('@cairn/sdk/webhooks');\n";
    writeFileSync(
      join(blank, 'required.cts'),
      required.replace(/const (.*?) = require\((.*?)\)/g, 'import $1 from $2'),
    );
    writeFileSync(join(blank, 'required.cjs'), `${required}console.log(typeof Cairn, typeof verifyWebhook);`);
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
    run(
      blank,
      bin('tsc'),
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      ...types,
      'example.ts',
      'required.cts',
    );
    expect(run(blank, process.execPath, 'example.ts')).toContain('Ada Sommer is on call on Fridays.');
    expect(run(blank, process.execPath, 'required.cjs')).toBe('function function\n');
  });

  it('that installs the adapter of the AI SDK has a model ask a memory, checks types, and requires it, too', () => {
    const blank = join(folder, 'ai-sdk');
    const tarballs = [packed('sdk'), packed('sdk/adapters/ai-sdk')];
    run(ROOT, 'mkdir', '-p', blank);
    writeFileSync(join(blank, 'package.json'), JSON.stringify({ name: 'blank', private: true, type: 'module' }));
    run(blank, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', ...tarballs);
    symlinkSync(join(ROOT, 'node_modules', 'ai'), join(blank, 'node_modules', 'ai'));
    writeFileSync(join(blank, 'example.ts'), example('sdk/adapters/ai-sdk/README.md', 'ts'));
    writeFileSync(join(blank, 'scripted.ts'), SCRIPTED_MODEL);
    writeFileSync(join(blank, 'required.cts'), "import { cairnTools } from '@cairn/ai-sdk';\nvoid cairnTools;\n");
    const required =
      "console.log(typeof require('@cairn/ai-sdk').cairnTools, typeof require('@cairn/sdk/tools').memoryTools)";
    writeFileSync(join(blank, 'required.cjs'), required);
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types'), '--skipLibCheck'];
    const modules = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions'];
    run(blank, bin('tsc'), '--noEmit', ...modules, ...types, 'scripted.ts', 'required.cts');
    expect(run(blank, process.execPath, 'scripted.ts')).toContain('The kiln is fired on Mondays.');
    expect(run(blank, process.execPath, 'required.cjs')).toBe('function function\n');
  });

  it('gets a whole client of at most 8 kB, compressed', () => {
    const entry = join(ROOT, 'sdk', 'src', 'index.ts');
    const minified = run(ROOT, bin('esbuild'), entry, '--bundle', '--minify', '--format=esm', '--target=es2022');
    expect(gzipSync(minified, { level: 9 }).length).toBeLessThanOrEqual(CLIENT_MAX_BYTES);
  });

  inPython(
    'that installs the wheel passes its tests, runs the lines of its README, and is clean under mypy --strict',
    () => {
      const blank = join(folder, 'python');
      run(ROOT, 'mkdir', '-p', blank);
      run(join(ROOT, 'sdk', 'python'), python!, '-m', 'hatchling', 'build', '-t', 'wheel', '-d', blank);
      const [wheel] = globSync('*.whl', { cwd: blank });
      const site = join(blank, 'site');
      run(blank, python!, '-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index', '--target', site, wheel!);
      writeFileSync(join(blank, 'example.py'), example('sdk/python/README.md', 'python'));
      env = { ...env, PYTHONPATH: site, MYPYPATH: site };
      run(blank, python!, '-m', 'mypy', '--strict', 'example.py');
      run(blank, python!, join(ROOT, 'sdk', 'python', 'tests', 'test_client.py'));
      expect(run(blank, python!, 'example.py')).toContain('Ada Sommer is on call on Fridays.');
    },
  );
});
