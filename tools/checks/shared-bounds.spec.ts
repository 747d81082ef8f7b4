import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const ROW = /^\| `([A-Z_]+)` +\| \[[^\]]+\]\(\.\.\/([^)]+)\)/;
const CONSTANT = /^(?:export )?const ([A-Z_]{1,60}_MAX) =/gm;
/** In the names of constants that bound what many hold or wait for; page sizes and lengths of texts have others. */
const SHARED_WORDS = 'WAITING PENDING QUEUE SOCKETS STREAMS UNCONNECTED TRACKED UPLOADS NONCES NEGATIVES DELAYED'.split(
  ' ',
);

const page = readFileSync(join(ROOT, 'docs/limits.md'), 'utf8');
const rows = page.split('\n').flatMap((line) => {
  const [, constant, file] = ROW.exec(line) ?? [];
  return constant === undefined || file === undefined ? [] : [{ constant, file }];
});

describe('the table of bounds that tenants and strangers share', () => {
  it('names constants that exist', () => {
    expect(rows.length).toBeGreaterThan(30);
    const missing = [];
    for (const { constant, file } of rows) {
      if (!readFileSync(join(ROOT, file), 'utf8').includes(`const ${constant} =`)) missing.push(`${file}: ${constant}`);
    }
    expect(missing).toEqual([]);
  });

  it('has every queue, line and table of waiting or open things of the services', () => {
    const unlisted = [];
    for (const file of globSync(['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'], { cwd: ROOT })) {
      if (file.endsWith('.spec.ts') || file.includes('/gen/')) continue;
      for (const [, constant = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(CONSTANT))
        if (SHARED_WORDS.some((word) => constant.split('_').includes(word)) && !page.includes(`\`${constant}\``))
          unlisted.push(`${file}: ${constant}`);
    }
    expect(unlisted).toEqual([]);
  });
});
