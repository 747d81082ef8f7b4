import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const LANGCHAIN = join(ROOT, 'sdk', 'adapters', 'langchain');
const RECIPES = join(ROOT, 'sdk', 'adapters', 'recipes');

function run(cwd: string, command: string, ...args: string[]): string {
  process.stdout.write(`${command} ${args.join(' ')}\n`);
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Checks the adapter's types, what it does in LangChain, and that a blank project can import and require it packed. */
function checkLangChain(): void {
  run(LANGCHAIN, 'npm', 'ci', '--ignore-scripts');
  run(ROOT, 'tsc', '-p', 'sdk/adapters/langchain/tsconfig.json');
  process.stdout.write(run(LANGCHAIN, process.execPath, '--test', 'tests/*.conformance.ts'));
  const blank = mkdtempSync(join(tmpdir(), 'cairn-langchain-'));
  try {
    checkBlankProject(blank);
  } finally {
    rmSync(blank, { recursive: true });
  }
}

function checkBlankProject(blank: string): void {
  const tarballs = ['sdk', 'sdk/adapters/langchain'].map((source) =>
    run(ROOT, process.execPath, 'tools/release/sdk/pack-typescript.ts', join(blank, 'packed', source), source).trim(),
  );
  writeFileSync(join(blank, 'package.json'), JSON.stringify({ name: 'blank', private: true, type: 'module' }));
  run(blank, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', ...tarballs);
  symlinkSync(join(LANGCHAIN, 'node_modules', '@langchain'), join(blank, 'node_modules', '@langchain'));
  const [, readme] = readFileSync(join(LANGCHAIN, 'README.md'), 'utf8').split('```ts\n');
  const [example] = readme!.split('```');
  writeFileSync(join(blank, 'example.ts'), example!);
  writeFileSync(join(blank, 'required.cts'), "import { cairnTools } from '@cairn/langchain';\nvoid cairnTools;\n");
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types'), '--skipLibCheck'];
  const modules = ['--strict', '--module', 'nodenext', '--target', 'es2023'];
  run(blank, 'tsc', '--noEmit', ...modules, ...types, 'example.ts', 'required.cts');
  const loads = "if (typeof CairnRetriever !== 'function') throw new Error('there is no retriever');";
  run(blank, process.execPath, '-e', `const { CairnRetriever } = require('@cairn/langchain'); ${loads}`);
  const imported = `import { CairnRetriever } from '@cairn/langchain'; ${loads}`;
  run(blank, process.execPath, '--input-type=module', '-e', imported);
}

/** Checks the recipes of docs/agents.md: their types, and an agent of each framework that asks an installation by MCP. */
function checkRecipes(): void {
  run(RECIPES, 'npm', 'ci', '--ignore-scripts');
  run(ROOT, 'tsc', '-p', 'sdk/adapters/recipes/tsconfig.json');
  process.stdout.write(run(RECIPES, process.execPath, '--test', 'tests/*.conformance.ts'));
}

/** What is too large for `npm test` to install. */
if (import.meta.main) {
  checkLangChain();
  checkRecipes();
}
