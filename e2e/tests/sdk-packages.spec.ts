import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pythonEnvironment, type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import { type NewTenant, operator } from './operator.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLIENT_MAX_BYTES = 8 * 1_024;
const python = pythonEnvironment(['httpx==0.28.1', 'hatchling==1.33.0', 'mypy==2.4.1']);
const inPython = python === null ? it.skip : it;
const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

let cairn: RunningCairn;
let env: Record<string, string | undefined>;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder('cairn-sdk-');
  cairn = await startCairn();
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
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(join(ROOT, page), 'utf8'))![1]!;
}

describe('a blank project', () => {
  it('that installs the npm package runs the lines of its README, checks their types, and requires it, too', () => {
    const packed = join(folder, 'packed');
    const blank = join(folder, 'blank');
    run(ROOT, 'mkdir', '-p', packed, blank);
    run(ROOT, process.execPath, 'tools/sdk/pack-typescript.ts', packed);
    const [tarball] = globSync('*.tgz', { cwd: packed });
    writeFileSync(join(blank, 'package.json'), JSON.stringify({ name: 'blank', private: true, type: 'module' }));
    run(blank, 'npm', 'install', '--offline', '--no-audit', '--no-fund', join(packed, tarball!));
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
