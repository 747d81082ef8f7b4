interface CrawlState {
  /** Pages that were read. */
  pages: number;
  /** Pages that are known and not yet read. */
  waiting: number;
  pagesMax: number;
  rows: number;
}

/** Percent of a run at which a crawl begins, and how many it takes. */
const FROM = 10;
const SHARE = 60;

/** How far a crawl for records is, as "12 of 60 known pages, 4 rows". */
export function crawlProgress({ pages, waiting, pagesMax, rows }: CrawlState): { stage: string; percent: number } {
  const known = pages + waiting;
  const of = known > pagesMax ? `at most ${counted(pagesMax, 'page')}` : counted(known, 'known page');
  const done = Math.min(1, pages / Math.max(1, Math.min(known, pagesMax)));
  return {
    stage: `reading: ${pages} of ${of}, ${counted(rows, 'row')}`,
    percent: FROM + Math.floor(SHARE * done),
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
