import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const SDK = join(import.meta.dirname, '..', '..', 'sdk');
const ENTRIES = ['index', 'webhooks'];

/** Builds what is published into `folder`, as ES modules and CommonJS with their types, and packs it. Gives the tarball. */
async function packTypeScript(folder: string): Promise<string> {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const entryPoints = ENTRIES.map((entry) => join(SDK, 'src', `${entry}.ts`));
  for (const format of ['esm', 'cjs'] as const) {
    await build({ entryPoints, outdir: join(dist, format), format, bundle: true, target: 'es2022' });
    const type = format === 'esm' ? 'module' : 'commonjs';
    writeFileSync(join(dist, format, 'package.json'), JSON.stringify({ type, sideEffects: false }));
  }
  writeTypes(dist);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(), null, 2));
  for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(SDK, name), join(folder, name));
  const packed = execFileSync('npm', ['pack', '--silent'], { cwd: folder, encoding: 'utf8' });
  return join(folder, packed.trim().split('\n').at(-1)!);
}

/** Declarations of every source, once for each module system. */
function writeTypes(dist: string): void {
  const types = join(dist, 'esm');
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--allowImportingTsExtensions'];
  const lib = ['--lib', 'es2024,dom,dom.iterable,dom.asynciterable', '--types', ''];
  const sources = ENTRIES.map((entry) => join(SDK, 'src', `${entry}.ts`));
  execFileSync(
    'tsc',
    [
      ...options,
      ...lib,
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--strict',
      '--outDir',
      types,
      '--rootDir',
      join(SDK, 'src'),
      ...sources,
    ],
    { stdio: 'pipe', encoding: 'utf8', cwd: dist },
  );
  for (const file of globSync('**/*.d.ts', { cwd: types })) {
    const path = join(types, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '[^']+)\.ts'/g, "$1.js'"));
    mkdirSync(join(dist, 'cjs', file, '..'), { recursive: true });
    cpSync(path, join(dist, 'cjs', file));
  }
}

function manifest(): object {
  const { name, version, description } = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const entry = (file: string) => ({
    import: { types: `./dist/esm/${file}.d.ts`, default: `./dist/esm/${file}.js` },
    require: { types: `./dist/cjs/${file}.d.ts`, default: `./dist/cjs/${file}.js` },
  });
  return {
    name,
    version,
    description,
    license: 'UNLICENSED',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    main: './dist/cjs/index.js',
    module: './dist/esm/index.js',
    types: './dist/esm/index.d.ts',
    exports: { '.': entry('index'), './webhooks': entry('webhooks'), './package.json': './package.json' },
    files: ['dist', 'README.md', 'CHANGELOG.md'],
  };
}

if (import.meta.main) {
  const folder = process.argv[2] ?? 'dist/sdk';
  mkdirSync(folder, { recursive: true });
  process.stdout.write(`${await packTypeScript(folder)}\n`);
}
