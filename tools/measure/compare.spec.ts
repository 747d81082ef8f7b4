import { describe, expect, it } from '@jest/globals';
import { compareVersions } from './compare.ts';
import { regressionPage } from './report.ts';

function page(commit: string, rows: string[]): string {
  return [
    '# Search',
    '| outside | ms |\n| --- | --- |\n| of a section | 1 |',
    '<!-- growth: begin -->',
    `2026-11-26, commit ${commit}, 2 cores.`,
    `| chunks | peer | p50 / p95 ms | searches/s | notes |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}`,
    '<!-- growth: end -->',
  ].join('\n\n');
}
const BEFORE = page('aaaaaaa', [
  '| 10,000 | cairn | 2.0 / 4.0 | 431 | 1 |',
  '| 10,000 | `ts_rank` | 3.0 / 1,000 | 353 | 7 |',
]);

describe('pages of measurements', () => {
  it('are compared number by number, in the sections that were measured again', () => {
    const now = page('bbbbbbb', [
      '| 10,000 | cairn | 2.1 / 8.0 | 215.5 | 2 |',
      '| 10,000 | `ts_rank` | 3.0 / 500 | 353 | 7 |',
    ]);
    const { changed, compared } = compareVersions('search.md', BEFORE, now);
    expect(compared).toBe(8);
    expect(changed.map(({ now: { column, part }, ratio, change }) => [column, part, ratio, change])).toEqual([
      ['p50 / p95 ms', 1, 2, 'worse'],
      ['searches/s', 0, 0.5, 'worse'],
      ['notes', 0, 2, 'other'],
      ['p50 / p95 ms', 1, 0.5, 'better'],
    ]);
    const written = regressionPage('aaaaaaa', 'today', { changed, compared });
    expect(written).toContain(
      '| [search](search.md), growth | 10,000, cairn | searches/s | 431 (aaaaaaa) | 215.5 (bbbbbbb) | 0.50 |',
    );
  });

  it('say nothing of sections of the same commit, and of rows that are new', () => {
    const same = page('aaaaaaa', ['| 10,000 | cairn | 20 / 40 | 1 | 1 |']);
    expect(compareVersions('search.md', BEFORE, same)).toEqual({ changed: [], compared: 0 });
    const other = page('bbbbbbb', ['| 20,000 | cairn | 20 / 40 | 1 | 1 |']);
    expect(compareVersions('search.md', BEFORE, other)).toEqual({ changed: [], compared: 0 });
  });
});
