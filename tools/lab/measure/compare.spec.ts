import { describe, expect, it } from '@jest/globals';
import { betterIn } from './better.ts';
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
    const { changed, compared, unmatched } = compareVersions('search.md', BEFORE, now);
    expect(compared).toBe(8);
    expect(changed.map(({ now: { column, part }, ratio, change }) => [column, part, ratio, change])).toEqual([
      ['p50 / p95 ms', 1, 2, 'worse'],
      ['searches/s', 0, 0.5, 'worse'],
      ['notes', 0, 2, 'other'],
      ['p50 / p95 ms', 1, 0.5, 'better'],
    ]);
    const written = regressionPage('aaaaaaa', 'today', { changed, compared, unmatched });
    expect(written).toContain(
      '| [search](search.md), growth | 10,000, cairn | searches/s | 431 (aaaaaaa) | 215.5 (bbbbbbb) | 0.50 |',
    );
  });

  it('say nothing of sections of the same commit, and of rows that are new', () => {
    const same = page('aaaaaaa', ['| 10,000 | cairn | 20 / 40 | 1 | 1 |']);
    expect(compareVersions('search.md', BEFORE, same)).toEqual({ changed: [], compared: 0, unmatched: new Map() });
    const other = page('bbbbbbb', ['| 20,000 | cairn | 20 / 40 | 1 | 1 |']);
    const { unmatched, ...nothing } = compareVersions('search.md', BEFORE, other);
    expect(nothing).toEqual({ changed: [], compared: 0 });
    expect([...unmatched]).toEqual([['growth', 12]]);
    expect(regressionPage('aaaaaaa', 'today', { ...nothing, unmatched })).toContain('growth (12)');
  });

  it('are read with their units, and columns of one name apart', () => {
    const of = (commit: string, cells: string) =>
      `<!-- a: begin -->\n\ncommit ${commit}\n\n| way | CPU a request | to nginx | CPU at half load | to nginx | nDCG@10 | gain, ms |\n| --- | --- | --- | --- | --- | --- | --- |\n| plain | ${cells} |\n\n<!-- a: end -->`;
    const before = of('aaaaaaa', '950 µs | 3.5 | 40 µs | 1.5 | 0.700 | −9');
    const now = of('bbbbbbb', '1.2 ms | 3.5 | 40 µs | 3.5 | 0.640 | 6.57');
    const { changed } = compareVersions('gateway.md', before, now);
    const shown = changed.map(({ now: { column, text }, ratio, change }) => [column, text, ratio, change]);
    expect(shown).toEqual([
      ['CPU a request', '1.2 ms', expect.closeTo(1.263, 3), 'worse'],
      ['to nginx', '3.5', expect.closeTo(2.333, 3), 'other'],
      ['nDCG@10', '0.640', expect.closeTo(0.914, 3), 'worse'],
      ['gain, ms', '6.57', null, 'worse'],
    ]);
  });

  it.each([
    ['ms of processor a second', 'less'],
    ['answers a second', 'more'],
    ['searches/s warm', 'more'],
    ['kept, p50 / p95 ms', 'less'],
    ['right after the last ingest', null],
    ['right', 'more'],
    ['CPU a request, saturated', 'less'],
  ])('know whether more is better: %s', (column, better) => {
    expect(betterIn(column)).toBe(better);
  });
});
