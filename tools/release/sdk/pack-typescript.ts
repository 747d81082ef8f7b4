import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..', '..');

interface Manifest {
  name: string;
  version: string;
  description: string;
  exports: Record<string, { default: string }>;
  peerDependencies?: Record<string, string>;
}

/**
 * Builds what is published of the package into `folder`, as ES modules and CommonJS with their types, and packs it.
 * Returns the tarball.
 */
async function packTypeScript(folder: string, source: string): Promise<string> {
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
  const sources = Object.values(manifest.exports).map((entry) => join(source, entry.default));
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const external = Object.keys(manifest.peerDependencies ?? {}).flatMap((name) => [name, `${name}/*`]);
  for (const format of ['esm', 'cjs'] as const) {
    const outdir = join(dist, format);
    await build({ entryPoints: sources, outdir, format, bundle: true, target: 'es2022', external });
    const type = format === 'esm' ? 'module' : 'commonjs';
    writeFileSync(join(outdir, 'package.json'), JSON.stringify({ type, sideEffects: false }));
  }
  writeTypes(dist, source, sources);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(published(manifest), null, 2));
  for (const name of ['README.md', 'CHANGELOG.md']) cpSync(join(source, name), join(folder, name));
  const packed = execFileSync('npm', ['pack', '--silent'], { cwd: folder, encoding: 'utf8' });
  return join(folder, packed.trim().split('\n').at(-1)!);
}

/** Declarations of every source, once for each module system. */
function writeTypes(dist: string, source: string, sources: string[]): void {
  // What an adapter imports of the SDK is written, too, and left behind.
  const written = join(dist, 'types');
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--allowImportingTsExtensions'];
  const lib = ['--lib', 'es2024,dom,dom.iterable,dom.asynciterable', '--types', '', '--skipLibCheck'];
  const modules = ['--target', 'es2022', '--module', 'nodenext', '--strict'];
  const where = ['--outDir', written, '--rootDir', ROOT];
  execFileSync('tsc', [...options, ...lib, ...modules, ...where, ...sources], {
    stdio: 'pipe',
    encoding: 'utf8',
    cwd: dist,
  });
  const own = join(written, relative(ROOT, source), 'src');
  for (const file of globSync('**/*.d.ts', { cwd: own })) {
    const text = readFileSync(join(own, file), 'utf8').replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'");
    for (const format of ['esm', 'cjs']) {
      mkdirSync(join(dist, format, file, '..'), { recursive: true });
      writeFileSync(join(dist, format, file), text);
    }
  }
  rmSync(written, { recursive: true });
}

function published({ name, version, description, exports, peerDependencies }: Manifest): object {
  const entries = Object.entries(exports).map(([path, { default: file }]) => {
    const entry = basename(file, '.ts');
    return [
      path,
      {
        import: { types: `./dist/esm/${entry}.d.ts`, default: `./dist/esm/${entry}.js` },
        require: { types: `./dist/cjs/${entry}.d.ts`, default: `./dist/cjs/${entry}.js` },
      },
    ];
  });
  return {
    name,
    version,
    description,
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    ...(peerDependencies === undefined ? {} : { peerDependencies }),
    main: './dist/cjs/index.js',
    module: './dist/esm/index.js',
    types: './dist/esm/index.d.ts',
    exports: { ...Object.fromEntries(entries), './package.json': './package.json' },
    files: ['dist', 'README.md', 'CHANGELOG.md'],
  };
}

if (import.meta.main) {
  const [folder = 'dist/sdk', source = 'sdk'] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  process.stdout.write(`${await packTypeScript(folder, join(ROOT, source))}\n`);
}
