import { beforeEach, describe, expect, it } from '@jest/globals';
import { type BundleAssets, rewriteReferences } from './source-paths.ts';

let companions: BundleAssets;
beforeEach(() => {
  companions = { entries: new Set(), data: new Set(), packages: new Map() };
});

const rewritten = (source: string) => rewriteReferences('apps/memory/src/prepare/pool.ts', source, companions);

describe('references to files beside a source, in a bundle', () => {
  it('to a module that is started by its path become entries in the one folder', () => {
    expect(rewritten(`const FILE = join(import.meta.dirname, 'worker.ts');`)).toBe(
      `const FILE = join(import.meta.dirname, 'apps-memory-src-prepare-worker.mjs');`,
    );
    expect(rewritten(`new Worker(new URL('../watch.ts', import.meta.url))`)).toBe(
      `new Worker(new URL('./apps-memory-src-watch.mjs', import.meta.url))`,
    );
    expect([...companions.entries]).toEqual(['apps/memory/src/prepare/worker.ts', 'apps/memory/src/watch.ts']);
  });

  it('to data keep the path that it has in the repository', () => {
    expect(rewritten(`join(import.meta.dirname, '..', '..', '..', '..', 'config', 'plans.json')`)).toBe(
      `join(import.meta.dirname, 'files/config/plans.json')`,
    );
    expect([...companions.data]).toEqual(['config/plans.json']);
  });

  it('with a computed rest are put below the folder, without guessing what they name', () => {
    expect(rewritten(`join(import.meta.dirname, '..', '..', name, 'src')`)).toBe(
      `join(import.meta.dirname, 'files/apps/memory', name, 'src')`,
    );
    expect([...companions.data]).toEqual([]);
  });

  it('to a package that is looked for at run time keep it a package', () => {
    const source = `dirname(createRequire(import.meta.url).resolve('@scope/pages/package.json'))`;
    expect(rewritten(source)).toBe(source);
    expect([...companions.packages]).toEqual([['@scope/pages', 'all']]);
  });

  it('to single files of a package keep those and no others', () => {
    rewritten(
      `createRequire(import.meta.url).resolve('fonts/a.ttf'); createRequire(import.meta.url).resolve('fonts/b.ttf')`,
    );
    expect([...companions.packages]).toEqual([['fonts', new Set(['a.ttf', 'b.ttf'])]]);
  });

  it('of an unknown form fail the build', () => {
    for (const source of ['const here = import.meta.dirname;', 'load(import.meta.url)', `import.meta.resolve('x')`])
      expect(() => rewritten(source)).toThrow('cannot be bundled');
  });
});
