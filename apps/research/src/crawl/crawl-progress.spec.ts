import { describe, expect, it } from '@jest/globals';
import { crawlProgress } from './crawl-progress.ts';

const at = (pages: number, waiting: number, rows = 4, pagesMax = 2_000) =>
  crawlProgress({ pages, waiting, rows, pagesMax });

describe('the progress of a crawl', () => {
  it('counts against the pages that are known, not against the most that may be read', () => {
    expect(at(12, 48)).toEqual({ stage: 'reading: 12 of 60 known pages, 4 rows', percent: 22 });
    expect(at(60, 0).percent).toBe(70);
  });

  it('counts against the bound when more pages are known than may be read', () => {
    expect(at(10, 500, 1, 20)).toEqual({ stage: 'reading: 10 of at most 20 pages, 1 row', percent: 40 });
  });

  it('begins when nothing is known yet', () => {
    expect(at(0, 0, 0)).toEqual({ stage: 'reading: 0 of 0 known pages, 0 rows', percent: 10 });
    expect(at(1, 0, 0).stage).toBe('reading: 1 of 1 known page, 0 rows');
  });

  it('is never past the end of the reading', () => {
    expect(at(30, 10, 0, 20).percent).toBe(70);
  });
});
